import { definePlugin, type PluginFactory } from "@toycoder/core";
import { generateReport } from "./generate-report.ts";

/** Brings `generate_report`, which needs `query_database` of another plugin. Takes no options. */
export const reportPlugin: PluginFactory<Record<string, never>> = definePlugin({
  name: "report",
  version: "0.1.0",
  api: 1,
  setup: () => ({ tools: [generateReport] }),
});
