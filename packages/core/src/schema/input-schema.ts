import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/** What marks a schema of zod 3, which can't describe itself: core converts it. */
export interface ZodThreeMark {
  readonly _def: { readonly typeName: string };
}

/**
 * What a tool takes as `input`: a schema that validates (Standard Schema) and describes itself (Standard JSON
 * Schema), as zod ≥ 4.2 and ArkType do, or one of zod 3 (≥ 3.24); `jsonSchema({...})` makes one of raw JSON Schema.
 */
export type InputSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  (StandardJSONSchemaV1<Input, Output> | ZodThreeMark);

/** The `vendor` of what `jsonSchema` makes. */
export const RAW_VENDOR = "toycoder-json-schema";
