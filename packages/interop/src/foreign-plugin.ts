import { definePlugin, type Plugin, type PluginContext } from "@toycoder/core";
import type { ForeignTools } from "./foreign-options.ts";

/** What makes a plugin of another framework's tools. */
export interface ForeignPluginOptions<Given> {
  /** The plugin's name, for rules of the form `plugin:NAME`. */
  name: string;
  /** Default 0.0.0. */
  version?: string;
  /** The tools, or how they are made when the plugin is set up. */
  tools: Given | ((ctx: PluginContext) => Given | Promise<Given>);
  /** Joins the system prompt. */
  instructions?: string;
  /** Called once when the run ends. */
  dispose?: () => void | Promise<void>;
}

/** A plugin of tools that `take` makes ours. What was left out is shown to people, by `toycoder check` for one. */
export function foreignPlugin<Given extends object>(
  { name, version = "0.0.0", tools: given, instructions, dispose }: ForeignPluginOptions<Given>,
  take: (given: Given) => ForeignTools | Promise<ForeignTools>,
): Plugin {
  return definePlugin({
    name,
    version,
    api: 1,
    setup: async (_, ctx) => {
      const { tools, leftOut } = await take(typeof given === "function" ? await given(ctx) : given);
      return {
        tools,
        ...(leftOut.length > 0 && {
          status: Object.fromEntries(leftOut.map((one) => [`${one.name} is left out`, one.reason])),
        }),
        ...(instructions !== undefined && { instructions }),
        ...(dispose !== undefined && { dispose }),
      };
    },
  })();
}
