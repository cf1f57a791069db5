import { z } from "zod";
import type { Place } from "./find-place.ts";
import { ask, type Request } from "./open-meteo.ts";
import { describeWeatherCode } from "./weather-code.ts";

/** Each number is a text with its unit, as the service gives it ("18.4 °C"); null where the service has none. */
export interface Weather {
  place: string;
  latitude: number;
  longitude: number;
  /** Of the place: all times are local. */
  timezone: string;
  now: {
    time: string;
    conditions: string;
    temperature: string | null;
    feelsLike: string | null;
    humidity: string | null;
    precipitation: string | null;
    wind: string | null;
  };
  days: Day[];
  /** Other places of the name. */
  others: string[];
}

export interface Day {
  date: string;
  conditions: string;
  high: string | null;
  low: string | null;
  precipitation: string | null;
  chanceOfRain: string | null;
  wind: string | null;
}

const CURRENT = ["temperature_2m", "apparent_temperature", "relative_humidity_2m", "precipitation", "weather_code", "wind_speed_10m"] as const; // prettier-ignore
const DAILY = ["weather_code", "temperature_2m_max", "temperature_2m_min", "precipitation_sum", "precipitation_probability_max", "wind_speed_10m_max"] as const; // prettier-ignore

const number = z.number().nullable();
const units = z.record(z.string(), z.string());
/** As documented at https://open-meteo.com/en/docs, "JSON Return Object". */
const ANSWER = z.object({
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  current_units: units,
  current: z.object({ time: z.string(), ...keyed(CURRENT, number) }),
  daily_units: units.optional(),
  daily: z.object({ time: z.array(z.string()), ...keyed(DAILY, z.array(number)) }).optional(),
});

const UNITS = {
  metric: { temperature_unit: "celsius", wind_speed_unit: "kmh", precipitation_unit: "mm" },
  imperial: { temperature_unit: "fahrenheit", wind_speed_unit: "mph", precipitation_unit: "inch" },
} as const;

/** The weather of a place. Throws what {@link ask} throws. */
export async function readForecast(
  { name, latitude, longitude, others }: Place,
  wanted: { days: number; units: "metric" | "imperial" },
  base: string,
  request: Request,
): Promise<Weather> {
  const parameters = {
    latitude,
    longitude,
    current: CURRENT.join(","),
    ...(wanted.days > 0 && { daily: DAILY.join(","), forecast_days: wanted.days }),
    timezone: "auto",
    ...UNITS[wanted.units],
  };
  const answer = await ask(base, "v1/forecast", parameters, ANSWER, request);
  const { current, current_units: of, daily, daily_units: ofDay = {} } = answer;
  return {
    place: name,
    latitude: answer.latitude,
    longitude: answer.longitude,
    timezone: answer.timezone,
    now: {
      time: current.time,
      conditions: describeWeatherCode(current.weather_code),
      temperature: withUnit(current.temperature_2m, of["temperature_2m"]),
      feelsLike: withUnit(current.apparent_temperature, of["apparent_temperature"]),
      humidity: withUnit(current.relative_humidity_2m, of["relative_humidity_2m"]),
      precipitation: withUnit(current.precipitation, of["precipitation"]),
      wind: withUnit(current.wind_speed_10m, of["wind_speed_10m"]),
    },
    days: (daily?.time ?? []).map((date, at) => ({
      date,
      conditions: describeWeatherCode(daily?.weather_code[at]),
      high: withUnit(daily?.temperature_2m_max[at], ofDay["temperature_2m_max"]),
      low: withUnit(daily?.temperature_2m_min[at], ofDay["temperature_2m_min"]),
      precipitation: withUnit(daily?.precipitation_sum[at], ofDay["precipitation_sum"]),
      chanceOfRain: withUnit(
        daily?.precipitation_probability_max[at],
        ofDay["precipitation_probability_max"],
      ),
      wind: withUnit(daily?.wind_speed_10m_max[at], ofDay["wind_speed_10m_max"]),
    })),
    others,
  };
}

function withUnit(value: number | null | undefined, unit = ""): string | null {
  if (value === null || value === undefined) return null;
  return unit === "%" || unit === "" ? `${value}${unit}` : `${value} ${unit}`;
}

function keyed<K extends string, S extends z.ZodType>(keys: readonly K[], schema: S): Record<K, S> {
  return Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, S>;
}
