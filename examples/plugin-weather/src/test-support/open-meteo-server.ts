import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer that the next request gets instead of the usual one. */
export type Odd = (response: ServerResponse) => void;

/** A server on 127.0.0.1 that answers as https://open-meteo.com/en/docs and …/geocoding-api document it. */
export interface OpenMeteoServer extends AsyncDisposable {
  readonly url: string;
  /** Path and parameters of each request. */
  readonly requests: URL[];
  odd: Odd | undefined;
}

const place = (id: number, name: string, admin1: string, country: string, code: string) => ({
  id, name, latitude: 40 + id / 100, longitude: -id, elevation: 74, feature_code: "PPLC", country_code: code,
  admin1_id: id + 1, timezone: "Europe/Berlin", population: 3_426_354, postcodes: ["10967"], country_id: 1, country, admin1,
}); // prettier-ignore

/** As the service ranks them. */
const PLACES = [
  place(1, "Berlin", "Land Berlin", "Germany", "DE"),
  place(2, "Paris", "Île-de-France", "France", "FR"),
  place(3, "Paris", "Texas", "United States", "US"),
  place(4, "Paris", "Tennessee", "United States", "US"),
  place(5, "Reykjavík", "Capital Region", "Iceland", "IS"),
  place(6, "London", "England", "United Kingdom", "GB"),
];

const UNIT: Readonly<Record<string, string>> = {
  celsius: "°C", fahrenheit: "°F", kmh: "km/h", mph: "mp/h", mm: "mm", inch: "inch",
}; // prettier-ignore

export async function openMeteoServer(): Promise<OpenMeteoServer> {
  const requests: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    requests.push(url);
    const { odd } = result;
    if (odd !== undefined) {
      odd(response);
      return;
    }
    const { pathname, searchParams } = url;
    if (pathname === "/v1/search") json(response, 200, search(searchParams));
    else if (pathname === "/v1/forecast") json(response, ...forecast(searchParams));
    else json(response, 404, { error: true, reason: "Not Found" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const result: OpenMeteoServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    odd: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return result;
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

/** Names that begin with the text, accents aside; `results` is absent where there are none. */
function search(parameters: URLSearchParams): object {
  const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const wanted = plain(parameters.get("name") ?? "");
  const results = PLACES.filter(({ name }) => wanted.length > 1 && plain(name).startsWith(wanted));
  const found = results.slice(0, Number(parameters.get("count") ?? 10));
  return { ...(found.length > 0 && { results: found }), generationtime_ms: 0.71 };
}

function forecast(parameters: URLSearchParams): [status: number, body: object] {
  const latitude = Number(parameters.get("latitude"));
  if (!(Math.abs(latitude) <= 90))
    return [400, { error: true, reason: `Latitude must be in range of -90 to 90°. Given: ${latitude}.` }];
  const unit = (name: string, preset: string): string => UNIT[parameters.get(name) ?? preset] ?? "";
  const units = {
    temperature: unit("temperature_unit", "celsius"),
    wind: unit("wind_speed_unit", "kmh"),
    precipitation: unit("precipitation_unit", "mm"),
  };
  const unitOf = (variable: string): string => {
    if (variable.includes("temperature")) return units.temperature;
    if (variable.startsWith("wind_speed")) return units.wind;
    if (variable === "weather_code") return "wmo code";
    return variable.includes("humidity") || variable.includes("probability") ? "%" : units.precipitation;
  };
  const names = (name: string): string[] => parameters.get(name)?.split(",") ?? [];
  const of = (variables: string[]): object => Object.fromEntries(variables.map((one) => [one, unitOf(one)]));
  const current = names("current");
  const daily = names("daily");
  const days = Number(parameters.get("forecast_days") ?? 7);
  const dates = Array.from({ length: days }, (_, day) => `2026-05-${String(day + 1).padStart(2, "0")}`);
  // The chance of rain is not known for the last days of a long forecast.
  const valuesOf = (variable: string): (number | null)[] =>
    dates.map((_, day) =>
      variable.includes("probability") && day > 6 ? null : variable === "weather_code" ? 61 : day + 10.5,
    );
  return [200, {
    latitude, longitude: Number(parameters.get("longitude")), generationtime_ms: 0.1, utc_offset_seconds: 7200,
    timezone: "Europe/Berlin", timezone_abbreviation: "GMT+2", elevation: 38,
    ...(current.length > 0 && {
      current_units: { time: "iso8601", interval: "seconds", ...of(current) },
      current: { time: "2026-05-01T10:15", interval: 900, ...Object.fromEntries(current.map((one) => [one, one === "weather_code" ? 3 : 18.4])) },
    }),
    ...(daily.length > 0 && {
      daily_units: { time: "iso8601", ...of(daily) },
      daily: { time: dates, ...Object.fromEntries(daily.map((one) => [one, valuesOf(one)])) },
    }),
  }]; // prettier-ignore
}
