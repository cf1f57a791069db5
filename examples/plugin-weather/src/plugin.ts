import { definePlugin, type PluginFactory } from "@toycoder/core";
import { z } from "zod";
import { makeGetWeather } from "./get-weather.ts";

/** What a config can say: ["toycoder-plugin-weather", { units: "imperial" }]. */
export interface WeatherOptions {
  /** Where the forecast API is. Default https://api.open-meteo.com. */
  baseUrl?: string | undefined;
  /** Where the geocoding API is. Default https://geocoding-api.open-meteo.com. */
  geocodingUrl?: string | undefined;
  /** The units where a call names none. Default metric. */
  units?: "metric" | "imperial" | undefined;
  /** How long a call may take, both requests together. Default 10. */
  timeoutSeconds?: number | undefined;
  /** The name of the credential that holds a customer's API key. Default: the free service, without a key. */
  credential?: string | undefined;
}

const url = z.url({ protocol: /^https?$/, error: "expected an http or https URL" });

/** Brings `get_weather`. */
export const weatherPlugin: PluginFactory<WeatherOptions> = definePlugin({
  name: "weather",
  version: "0.1.0",
  api: 1,
  options: z.strictObject({
    baseUrl: url.default("https://api.open-meteo.com"),
    geocodingUrl: url.default("https://geocoding-api.open-meteo.com"),
    units: z.enum(["metric", "imperial"]).default("metric"),
    timeoutSeconds: z.number().positive().max(300).default(10),
    credential: z.string().min(1).optional(),
  }),
  setup: (settings) => ({
    tools: [makeGetWeather(settings)],
    status: { weather: `from ${new URL(settings.baseUrl).host}` },
  }),
});
