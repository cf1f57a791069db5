import type { Plugin } from "@toycoder/core";
import type { ToolSet } from "ai";
import { foreignPlugin, type ForeignPluginOptions } from "../foreign-plugin.ts";
import { type AiSdkOptions, fromAiSdkTools } from "./from-ai-sdk-tools.ts";

/** A plugin of AI SDK tools. */
export interface AiSdkPluginOptions extends AiSdkOptions, ForeignPluginOptions<ToolSet> {}

/** A plugin for `plugins` in `toycoder.config.ts` that brings tools of the AI SDK. */
export const aiSdkPlugin = (options: AiSdkPluginOptions): Plugin =>
  foreignPlugin(options, (tools) => fromAiSdkTools(tools, options));
