import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { describeSchema, type InputSchema, type JsonSchema, jsonSchema } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";

/**
 * A LangChain tool's schema as the input of one of ours. It judges the arguments and leaves them as the model sent
 * them, as the tool parses them again when it is invoked: defaults and transforms are its own. Throws where there is
 * no JSON Schema of it.
 */
export function inputSchema(given: unknown): InputSchema {
  if (!isInteropZodSchema(given))
    return jsonSchema<unknown>(isRecord(given) ? given : { type: "object", properties: {} });
  const schema = given as unknown as InputSchema;
  const json = describe(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "toycoder-langchain",
      validate: async (value) => {
        const result = await schema["~standard"].validate(value);
        return result.issues === undefined ? { value } : result;
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** By core, which knows what a plain object of zod takes; an older zod than it can read, by LangChain. */
function describe(schema: InputSchema): JsonSchema {
  try {
    return describeSchema(schema, "input");
  } catch {
    return toJsonSchema(schema as never, { io: "input" });
  }
}
