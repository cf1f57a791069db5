import type { Tool } from "@toycoder/core";
import { type EncodedTools, encodeToolsFor } from "@toycoder/core/wire";
import type { FunctionTool } from "openai/resources/responses/responses";
import { schemaRules } from "../schema-rules.ts";
import type { ResponsesQuirks } from "./quirks.ts";

/** Tools for the Responses API: strict where strict mode can say the schema, `strict: false` otherwise. */
export function encodeTools(
  tools: readonly Tool[],
  { strictTools = true }: Partial<ResponsesQuirks> = {},
): EncodedTools<FunctionTool> {
  return encodeToolsFor(tools, schemaRules(strictTools), ({ name, description, schema, strict }) => ({
    type: "function",
    name,
    description,
    parameters: schema,
    strict,
  }));
}
