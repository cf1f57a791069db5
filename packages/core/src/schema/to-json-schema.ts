import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { messageOf, SetupError } from "../errors.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";

/** A schema that validates (Standard Schema) and describes itself (Standard JSON Schema), as zod ≥ 4.2 does. */
export type InputSchema<Input = unknown, Output = Input> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/**
 * The JSON Schema (draft 2020-12) of what a model may send for `schema`, made by the schema's own converter:
 * a plugin brings its own copy of zod, and only that copy knows its descriptions.
 * Throws a SetupError `schema_not_convertible` that names `owner`.
 */
export function toJsonSchema(schema: InputSchema, owner: string): JsonSchema {
  const standard = isRecord(schema) || typeof schema === "function" ? schema["~standard"] : undefined;
  if (typeof standard?.jsonSchema?.input !== "function") {
    throw new SetupError(
      "schema_not_convertible",
      `${owner}: the input schema cannot describe itself as JSON Schema`,
      {
        hint: "use a zod object of zod 4.2 or later",
      },
    );
  }
  let converted: unknown;
  try {
    converted = standard.jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    throw new SetupError("schema_not_convertible", `${owner}: ${messageOf(error)}`, { cause: error });
  }
  if (!isRecord(converted) || converted.type !== "object") {
    throw new SetupError("schema_not_convertible", `${owner}: the input schema must be an object`);
  }
  const { $schema: _, ...json } = converted;
  return standard.vendor === "zod" ? closeObjects(json) : json;
}

/**
 * A plain `z.object` drops unknown keys in silence; for a model's arguments it is closed instead. zod writes
 * `additionalProperties` only for loose and strict objects, so its absence marks a plain one. Parts of an
 * intersection (`allOf`) stay open, since each would refuse the other's keys.
 */
function closeObjects(schema: JsonSchema): JsonSchema {
  const closed: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    closed[key] = key === "allOf" ? value : closeWithin(key, value);
  }
  if (isRecord(schema.properties) && schema.additionalProperties === undefined) {
    closed.additionalProperties = false;
  }
  return closed;
}

const MAPS_OF_SCHEMAS = new Set(["properties", "$defs", "definitions", "patternProperties"]);
const SCHEMAS = new Set(["items", "additionalProperties", "not", "contains", "propertyNames"]);
const LISTS_OF_SCHEMAS = new Set(["anyOf", "oneOf", "prefixItems"]);

function closeWithin(keyword: string, value: unknown): unknown {
  if (SCHEMAS.has(keyword) && isRecord(value)) return closeObjects(value);
  if (LISTS_OF_SCHEMAS.has(keyword) && Array.isArray(value)) {
    return value.map((item) => (isRecord(item) ? closeObjects(item) : item));
  }
  if (MAPS_OF_SCHEMAS.has(keyword) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, isRecord(v) ? closeObjects(v) : v]));
  }
  return value;
}
