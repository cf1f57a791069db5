import { describeSchema, type InputSchema, jsonSchema } from "@toycoder/core";
import { asSchema, type FlexibleSchema } from "ai";

/**
 * An AI SDK tool's input as one of ours. What describes itself (zod, ArkType, other Standard JSON Schemas) is taken
 * as it is; the rest (`jsonSchema()`, lazy schemas, an older zod) by the JSON Schema that the AI SDK's model gets and
 * by the schema's own validation. Rejects where there is no JSON Schema of it.
 */
export async function inputSchema(given: FlexibleSchema<unknown> | undefined): Promise<InputSchema> {
  if (describesItself(given)) return given;
  const schema = asSchema(given);
  const raw = jsonSchema<unknown>((await schema.jsonSchema) as Record<string, unknown>);
  const { validate } = schema;
  if (validate === undefined) return raw;
  const standard = raw["~standard"];
  return {
    "~standard": {
      ...standard,
      validate: async (value) => {
        const told = await standard.validate(value);
        if (told.issues !== undefined) return told;
        const result = await validate(value);
        return result.success ? { value: result.value } : { issues: [{ message: result.error.message }] };
      },
    },
  };
}

function describesItself(schema: unknown): schema is InputSchema {
  try {
    describeSchema(schema as InputSchema, "input");
    return true;
  } catch {
    return false;
  }
}
