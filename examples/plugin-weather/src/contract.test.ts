import { describePlugin, describeTool } from "@toycoder/testing";
import { afterAll, describe, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { makeGetWeather } from "./get-weather.ts";
import { weatherPlugin } from "./plugin.ts";
import { openMeteoServer } from "./test-support/open-meteo-server.ts";

const server = await openMeteoServer();
afterAll(() => server[Symbol.asyncDispose]());

describeTool(
  {
    tool: makeGetWeather({
      baseUrl: server.url,
      geocodingUrl: server.url,
      units: "metric",
      timeoutSeconds: 10,
    }),
    examples: [
      { input: { location: "Berlin" } },
      { input: { location: "52.52,13.41", days: 16, units: "imperial" } },
      { input: { location: "Xyzzy" }, fails: "place_not_found" },
    ],
    wrong: [
      { input: { location: "Berlin", days: 17 }, says: "days" },
      { input: { location: "Berlin", units: "kelvin" }, says: "units" },
      { input: { location: " " }, says: "location" },
    ],
  },
  { describe, test },
);

describePlugin(
  {
    plugin: weatherPlugin,
    manifest,
    entry: import.meta.resolve("./index.ts"),
    options: { units: "imperial" },
    wrongOptions: [
      { options: { baseUrl: "ftp://example.com" }, path: "baseUrl" },
      { options: { timeoutSeconds: 0 }, path: "timeoutSeconds" },
    ],
  },
  { describe, test },
);
