import type { PluginParts } from "@toycoder/core";
import type { ForeignTools } from "./foreign-options.ts";

/** What makes a plugin of another framework's tools. */
export interface ForeignPluginOptions {
  /** The plugin's name, for rules of the form `plugin:NAME`. */
  name: string;
  /** Default 0.0.0. */
  version?: string;
  /** Joins the system prompt. */
  instructions?: string;
  /** Called once when the run ends. */
  dispose?: () => void | Promise<void>;
}

/** The parts of such a plugin. What was left out is shown to people, by `toycoder check` for one. */
export function foreignParts(
  { tools, leftOut }: ForeignTools,
  { instructions, dispose }: ForeignPluginOptions,
): PluginParts {
  return {
    tools,
    ...(leftOut.length > 0 && {
      status: Object.fromEntries(leftOut.map(({ name, reason }) => [`${name} is left out`, reason])),
    }),
    ...(instructions !== undefined && { instructions }),
    ...(dispose !== undefined && { dispose }),
  };
}
