import type { InputSchema } from "./input-schema.ts";

const SCHEMA = { type: "object", properties: {}, additionalProperties: false };

/** The input of a tool without parameters: an object without keys. */
export const EMPTY_INPUT: InputSchema<Record<string, never>> = Object.freeze({
  "~standard": Object.freeze({
    version: 1 as const,
    vendor: "toycoder",
    // Unknown keys are found by the JSON Schema.
    validate: () => ({ value: {} }),
    jsonSchema: { input: () => ({ ...SCHEMA }), output: () => ({ ...SCHEMA }) },
  }),
});
