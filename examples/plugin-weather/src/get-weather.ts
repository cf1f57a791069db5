import { defineTool, type Tool } from "@toycoder/core";
import { z } from "zod";
import { findPlace } from "./find-place.ts";
import { readForecast, type Weather } from "./forecast.ts";
import { weatherText } from "./weather-text.ts";

export interface WeatherSettings {
  baseUrl: string;
  geocodingUrl: string;
  units: "metric" | "imperial";
  timeoutSeconds: number;
  credential?: string | undefined;
}

export interface GetWeatherInput {
  location: string;
  days: number;
  units?: "metric" | "imperial" | undefined;
}

/**
 * Makes the tool. It asks two services, which `effects` names; the time limit is the tool's own, so `ctx.signal` ends
 * the request that is under way.
 */
export const makeGetWeather = (settings: WeatherSettings): Tool<GetWeatherInput, Weather> =>
  defineTool({
    name: "get_weather",
    description:
      "Look up the weather of a place on Open-Meteo; returns the conditions now and a forecast for each of the next days.",
    input: z.object({
      location: z
        .string()
        .trim()
        .min(2)
        .max(200)
        .describe('A place or postal code ("Paris", "Paris, Texas"), or "latitude,longitude"'),
      days: z.number().int().min(0).max(16).default(3).describe("Days of forecast, today included"),
      units: z.enum(["metric", "imperial"]).optional().describe(`Default ${settings.units}`),
    }),
    permission: "safe",
    category: "external_api",
    tags: ["weather", "forecast", "天气", "天気"],
    ...(settings.credential !== undefined && { requiresAuth: [settings.credential] }),
    effects: () =>
      [...new Set([settings.geocodingUrl, settings.baseUrl].map((url) => new URL(url).hostname))].map(
        (host) => ({ kind: "net", host }) as const,
      ),
    timeoutMs: settings.timeoutSeconds * 1000,
    execute: async ({ location, days, units = settings.units }, { signal, credentials }) => {
      const key = settings.credential === undefined ? undefined : credentials[settings.credential];
      const request = { signal, ...(key !== undefined && { apikey: key }) };
      const place = await findPlace(location, settings.geocodingUrl, request);
      return await readForecast(place, { days, units }, settings.baseUrl, request);
    },
    toModel: weatherText,
  });
