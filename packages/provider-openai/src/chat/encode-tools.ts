import type { Tool } from "@toycoder/core";
import { type EncodedTools, encodeToolsFor } from "@toycoder/core/wire";
import type { ChatCompletionFunctionTool } from "openai/resources/chat/completions";
import { schemaRules } from "../schema-rules.ts";
import { type ChatQuirks, OPENAI_QUIRKS } from "./quirks.ts";

/** Tools for Chat Completions: strict where strict mode can say the schema, `strict: false` otherwise. */
export function encodeTools(
  tools: readonly Tool[],
  { strictTools, strictField }: Pick<ChatQuirks, "strictTools" | "strictField"> = OPENAI_QUIRKS,
): EncodedTools<ChatCompletionFunctionTool> {
  return encodeToolsFor(
    tools,
    schemaRules(strictTools && strictField),
    ({ name, description, schema, strict }) => ({
      type: "function",
      function: { name, description, parameters: schema, ...(strictField && { strict }) },
    }),
  );
}
