import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench, type ToolBench } from "@toycoder/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { makeGetWeather, type WeatherSettings } from "./get-weather.ts";
import { json, openMeteoServer, type OpenMeteoServer } from "./test-support/open-meteo-server.ts";

let server: OpenMeteoServer;
const workspace = tempWorkspace();
beforeAll(async () => {
  server = await openMeteoServer();
});
afterEach(() => {
  server.odd = undefined;
  server.requests.length = 0;
});
afterAll(async () => {
  workspace.dispose();
  await server[Symbol.asyncDispose]();
});

function bench(
  settings: Partial<WeatherSettings> = {},
  more: { deny?: string[]; key?: string } = {},
): ToolBench {
  const tool = makeGetWeather({
    baseUrl: server.url,
    geocodingUrl: server.url,
    units: "metric",
    timeoutSeconds: 10,
    ...settings,
  });
  return toolBench([tool], {
    root: workspace.root,
    policy: { deny: more.deny ?? [] },
    ...(more.key !== undefined && { credentials: { OPEN_METEO_KEY: more.key } }),
  });
}

const say = async (args: Record<string, unknown>, ...rest: Parameters<typeof bench>): Promise<string> =>
  textOf((await bench(...rest).call("get_weather", args)).content);

test("the weather now and on the next days, in words and with units", async () => {
  expect(await say({ location: "Berlin", days: 2 })).toBe(
    [
      "Berlin, Land Berlin, Germany (times in Europe/Berlin)",
      "Now, 2026-05-01 10:15: overcast, 18.4 °C, feels like 18.4 °C, humidity 18.4%, precipitation 18.4 mm, wind 18.4 km/h",
      "2026-05-01: slight rain, 10.5 °C to 10.5 °C, precipitation 10.5 mm, chance of rain 10.5%, wind up to 10.5 km/h",
      "2026-05-02: slight rain, 11.5 °C to 11.5 °C, precipitation 11.5 mm, chance of rain 11.5%, wind up to 11.5 km/h",
    ].join("\n"),
  );
  const [searched, asked] = server.requests;
  expect(searched?.searchParams.get("name")).toBe("Berlin");
  expect(Object.fromEntries(asked?.searchParams ?? [])).toMatchObject({
    latitude: "40.01",
    forecast_days: "2",
    timezone: "auto",
    temperature_unit: "celsius",
  });
});

test("units by the call, or by the plugin's option", async () => {
  const imperial = /18\.4 °F.*18\.4 inch.*18\.4 mp\/h/;
  expect(await say({ location: "Berlin", units: "imperial" })).toMatch(imperial);
  expect(await say({ location: "Berlin" }, { units: "imperial" })).toMatch(imperial);
});

test("without days only now is asked for; what the service doesn't know is left out", async () => {
  expect((await say({ location: "Berlin", days: 0 })).split("\n")).toHaveLength(2);
  expect(server.requests[1]?.searchParams.has("daily")).toBe(false);
  const long = (await say({ location: "Berlin", days: 16 })).split("\n");
  expect(long[8]).toContain("chance of rain");
  expect(long[9]).not.toContain("chance of rain");
});

test("of several places the first, the others named; a region chooses", async () => {
  expect(await say({ location: "Paris", days: 0 })).toMatch(
    /^Paris, Île-de-France, France[^]*Other places of this name: Paris, Texas, United States; Paris, Tennessee, United States$/,
  );
  for (const location of ["Paris, Texas", "paris,texas , us"])
    expect(await say({ location, days: 0 })).toMatch(/^Paris, Texas, United States/);
});

test("coordinates need no search", async () => {
  expect(await say({ location: "52.52, 13.41", days: 0 })).toMatch(/^52\.52,13\.41 /);
  expect(server.requests.map(({ pathname }) => pathname)).toEqual(["/v1/forecast"]);
  expect(await say({ location: "95,13" })).toContain("Error (bad_coordinates)");
});

test.each([
  ["Berlni", "did you mean Berlin, Land Berlin, Germany?"],
  ["Paris, Ohio", "did you mean Paris, Île-de-France, France; Paris, Texas, United States"],
  ["Xyzzy", "try a larger place near it"],
])("a place that is not there: %s", async (location, hint) => {
  const said = await say({ location });
  expect(said).toContain(`Error (place_not_found): no place "${location}" is known`);
  expect(said).toContain(hint);
});

test("a limit on requests says why, and when to ask again", async () => {
  const reason = "Minutely API request limit exceeded. Please try again in one minute.";
  server.odd = (response) => json(response, 429, { error: true, reason });
  expect(await say({ location: "Berlin" })).toMatch(/rate_limited[^]*in one minute\.\nHint: ask again later/);
  server.odd = (response) => json(response.setHeader("retry-after", "60"), 429, {});
  expect(await say({ location: "Berlin" })).toContain("ask again after 60 s");
  expect(server.requests).toHaveLength(2);
});

test("what the service refuses, fails at or garbles has its own words", async () => {
  server.odd = (response) =>
    json(response, 400, { error: true, reason: "Parameter count must be between 1 and 100." });
  expect(await say({ location: "Berlin" })).toContain("Error (request_refused): 127.0.0.1");
  expect(await say({ location: "Berlin" })).toContain("Parameter count must be between 1 and 100.");
  server.odd = (response) => response.writeHead(502).end("<h1>Bad gateway</h1>");
  expect(await say({ location: "Berlin" })).toMatch(/service_failed.*HTTP 502/);
  server.odd = (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  expect(await say({ location: "Berlin" })).toMatch(/service_failed.*HTTP 302/);
  server.odd = (response) => response.end("<!doctype html>");
  expect(await say({ location: "Berlin" })).toMatch(/bad_answer.*no JSON/);
  server.odd = (response) => json(response, 200, { results: [{ name: "Berlin", latitude: "52" }] });
  expect(await say({ location: "Berlin" })).toMatch(/bad_answer.*results\.0\.latitude/);
  server.odd = (response) => response.end(`"${"x".repeat(1024 * 1024)}"`);
  expect(await say({ location: "Berlin" })).toMatch(/bad_answer.*more than 1 MB/);
  server.odd = (response) => response.destroy();
  expect(await say({ location: "Berlin" })).toContain("service_unreachable");
  const gone = await openMeteoServer();
  await gone[Symbol.asyncDispose]();
  expect(await say({ location: "1,1" }, { baseUrl: gone.url })).toMatch(/service_unreachable.*ECONNREFUSED/);
});

test("a time limit and a cancelled run end the request", async () => {
  server.odd = () => {};
  expect(await say({ location: "Berlin" }, { timeoutSeconds: 0.05 })).toContain("Error (timeout)");
  const run = new AbortController();
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  server.odd = (response) => {
    response.on("close", closed.resolve);
    arrived.resolve();
  };
  const pending = bench().call("get_weather", { location: "Berlin" }, run.signal);
  await arrived.promise;
  run.abort();
  expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
  await closed.promise;
});

test("a rule for a host holds before anything is sent", async () => {
  const denied = await bench({ baseUrl: "http://localhost:9" }, { deny: ["net:localhost"] }).call(
    "get_weather",
    {
      location: "Berlin",
    },
  );
  expect(denied).toMatchObject({ ok: false, error: { code: "permission_denied" } });
  expect(server.requests).toEqual([]);
});

test("a customer's key comes from a credential, and is in no result", async () => {
  const settings = { credential: "OPEN_METEO_KEY" };
  expect(await say({ location: "Berlin" }, settings)).toContain("Error (auth_missing)");
  expect(await say({ location: "Berlin" }, settings, { key: "k-12345678" })).toContain("Berlin");
  expect(server.requests.map(({ searchParams }) => searchParams.get("apikey"))).toEqual([
    "k-12345678",
    "k-12345678",
  ]);
  server.odd = (response) =>
    json(response, 400, { error: true, reason: "The supplied API key k-12345678 is invalid." });
  expect(await say({ location: "Berlin" }, settings, { key: "k-12345678" })).not.toContain("k-12345678");
});

test("a base URL may have a path", async () => {
  expect(await say({ location: "1,1" }, { baseUrl: `${server.url}/meteo` })).toContain("Not Found");
  expect(server.requests[0]?.pathname).toBe("/meteo/v1/forecast");
});
