import type { ForeignOptions } from "../foreign-options.ts";

/** What is needed of a LangChain tool: a `tool()`, a StructuredTool, a DynamicTool, a `runnable.asTool()`. */
export interface LangChainTool {
  name: string;
  description?: string;
  /** Of zod, or a JSON Schema. */
  schema: unknown;
  invoke(input: unknown, config?: object): Promise<unknown>;
}

/** How tools of LangChain are taken over. */
export interface LangChainOptions extends ForeignOptions {
  /** Goes to every `invoke`, beside the call's own signal: `configurable`, `callbacks`, `tags`. */
  config?: Readonly<Record<string, unknown>>;
}
