import { definePlugin, type PluginFactory } from "@toycoder/core";
import { z } from "zod";
import { makeGlobSearch } from "./glob-search.ts";
import { makeGrepSearch } from "./grep-search.ts";
import type { SearchOptions } from "./search-options.ts";

const options = z.strictObject({
  ripgrepPath: z.string().min(1).optional(),
  timeoutSeconds: z.number().positive().max(3600).optional(),
});

/** Brings glob_search and grep_search. */
export const searchPlugin: PluginFactory<SearchOptions> = definePlugin({
  name: "search",
  version: "0.0.0",
  api: 1,
  options,
  setup: (given) => ({ tools: [makeGlobSearch(given), makeGrepSearch(given)] }),
});
