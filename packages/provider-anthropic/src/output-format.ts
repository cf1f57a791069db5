import type { JSONOutputFormat } from "@anthropic-ai/sdk/resources/messages";
import type { JsonSchema } from "@toycoder/core";
import { cleanSchema, toStrictSchema } from "@toycoder/core/wire";
import { SCHEMA_RULES } from "./schema-rules.ts";

/**
 * The format that asks for JSON of `schema`, as the SDK's own helper writes it: bounds that structured outputs
 * don't take go into the description. Undefined for a schema with records, tuples or open objects, which
 * structured outputs would close: there the prompt and validation must do.
 */
export async function outputFormat(schema: JsonSchema): Promise<JSONOutputFormat | undefined> {
  const clean = cleanSchema(schema, SCHEMA_RULES, []);
  if ("unsupported" in toStrictSchema(clean, [], { firstKeys: "any" })) return undefined;
  const { transformJSONSchema } = await import("@anthropic-ai/sdk/lib/transform-json-schema");
  return { type: "json_schema", schema: transformJSONSchema(clean) };
}
