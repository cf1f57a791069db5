import type { Tool as AnthropicTool } from "@anthropic-ai/sdk/resources/messages";
import type { Tool } from "@toycoder/core";
import { type EncodedTools, encodeToolsFor } from "@toycoder/core/wire";
import { SCHEMA_RULES } from "./schema-rules.ts";

/**
 * Tools for the Messages API. A root with `oneOf`, `anyOf` or `allOf`, which `input_schema` refuses, is flattened;
 * the real schema still judges the arguments.
 */
export function encodeTools(tools: readonly Tool[]): EncodedTools<AnthropicTool> {
  return encodeToolsFor(tools, SCHEMA_RULES, ({ name, description, schema }) => ({
    name,
    description,
    input_schema: { ...schema, type: "object" },
  }));
}
