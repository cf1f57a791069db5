import type { Plugin } from "@toycoder/core";
import { foreignPlugin, type ForeignPluginOptions } from "../foreign-plugin.ts";
import { fromLangChainTools } from "./from-lang-chain-tools.ts";
import type { LangChainOptions, LangChainTool } from "./lang-chain-tool.ts";

/** A plugin of LangChain tools. */
export interface LangChainPluginOptions
  extends LangChainOptions, ForeignPluginOptions<readonly LangChainTool[]> {}

/** A plugin for `plugins` in `toycoder.config.ts` that brings tools of LangChain. */
export const langChainPlugin = (options: LangChainPluginOptions): Plugin =>
  foreignPlugin(options, (tools) => fromLangChainTools(tools, options));
