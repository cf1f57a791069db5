import { packageFiles } from "./package-files.ts";
import type { PluginPlan } from "./plugin-plan.ts";
import { sourceFiles } from "./source-files.ts";
import { textFiles } from "./text-files.ts";

/** Every file of a new plugin: path → text. */
export const pluginFiles = (plan: PluginPlan): Record<string, string> => ({
  ...packageFiles(plan),
  ...sourceFiles(plan),
  ...textFiles(plan),
});
