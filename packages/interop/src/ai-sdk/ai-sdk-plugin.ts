import { definePlugin, type Plugin, type PluginContext } from "@toycoder/core";
import type { ToolSet } from "ai";
import { foreignParts, type ForeignPluginOptions } from "../foreign-parts.ts";
import { type AiSdkOptions, fromAiSdkTools } from "./from-ai-sdk-tools.ts";

/** A plugin of AI SDK tools. */
export interface AiSdkPluginOptions extends AiSdkOptions, ForeignPluginOptions {
  /** The tools, or how they are made when the plugin is set up. */
  tools: ToolSet | ((ctx: PluginContext) => ToolSet | Promise<ToolSet>);
}

/** A plugin for `plugins` in `toycoder.config.ts` that brings tools of the AI SDK. */
export function aiSdkPlugin(options: AiSdkPluginOptions): Plugin {
  const { name, version = "0.0.0", tools } = options;
  return definePlugin({
    name,
    version,
    api: 1,
    setup: async (_, ctx) => {
      const given = typeof tools === "function" ? await tools(ctx) : tools;
      return foreignParts(await fromAiSdkTools(given, options), options);
    },
  })();
}
