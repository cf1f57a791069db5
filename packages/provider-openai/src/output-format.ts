import type { JsonSchema } from "@toycoder/core";
import { lowerSchema } from "@toycoder/core/wire";
import { schemaRules } from "./schema-rules.ts";

/** What `text.format` (Responses) and `response_format.json_schema` (Chat Completions) hold. */
export interface OutputFormat {
  name: string;
  schema: Record<string, unknown>;
  strict: boolean;
}

/**
 * The format that asks for JSON of `schema`. Strict only where that changes no value: the answer is text, and
 * nobody takes nulls out of it. Undefined for a schema whose root is not an object, which OpenAI refuses.
 */
export function outputFormat(schema: JsonSchema): OutputFormat | undefined {
  if (schema.type !== "object") return undefined;
  const strict = lowerSchema(schema, schemaRules(true));
  const lowered =
    strict.strict && strict.undo === undefined ? strict : lowerSchema(schema, schemaRules(false));
  return { name: "answer", schema: lowered.schema, strict: lowered.strict };
}
