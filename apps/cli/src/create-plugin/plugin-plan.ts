import type { PluginName } from "./plugin-name.ts";

/** What a new plugin is made from. */
export interface PluginPlan {
  name: PluginName;
  description: string;
  /** Of ToyCoder. */
  version: string;
  /** Address of the git repository. */
  repository: string | undefined;
}
