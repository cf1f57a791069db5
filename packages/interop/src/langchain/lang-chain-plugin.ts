import { definePlugin, type Plugin, type PluginContext } from "@toycoder/core";
import { foreignParts, type ForeignPluginOptions } from "../foreign-parts.ts";
import { fromLangChainTools } from "./from-lang-chain-tools.ts";
import type { LangChainOptions, LangChainTool } from "./lang-chain-tool.ts";

type Tools = readonly LangChainTool[];

/** A plugin of LangChain tools. */
export interface LangChainPluginOptions extends LangChainOptions, ForeignPluginOptions {
  /** The tools, or how they are made when the plugin is set up. */
  tools: Tools | ((ctx: PluginContext) => Tools | Promise<Tools>);
}

/** A plugin for `plugins` in `toycoder.config.ts` that brings tools of LangChain. */
export function langChainPlugin(options: LangChainPluginOptions): Plugin {
  const { name, version = "0.0.0", tools } = options;
  return definePlugin({
    name,
    version,
    api: 1,
    setup: async (_, ctx) => {
      const given = typeof tools === "function" ? await tools(ctx) : tools;
      return foreignParts(fromLangChainTools(given, options), options);
    },
  })();
}
