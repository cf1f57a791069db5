import { isRecord, type JsonSchema } from "./json-schema.ts";

export type AnySchema = JsonSchema | boolean;

const SINGLES = new Set([
  "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
  "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
]); // prettier-ignore
const LISTS = new Set(["allOf", "anyOf", "oneOf", "prefixItems", "items"]);
const MAPS = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

const isSchema = (value: unknown): value is AnySchema => isRecord(value) || typeof value === "boolean";

/** Every schema that stands directly in `schema`, in any dialect, with the way to it: `["properties", "a"]`. */
export function* subschemas(schema: JsonSchema): Generator<[steps: string[], subschema: AnySchema]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SINGLES.has(keyword) && isSchema(value)) yield [[keyword], value];
    else if (LISTS.has(keyword) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) if (isSchema(item)) yield [[keyword, String(index)], item];
    } else if (MAPS.has(keyword) && isRecord(value)) {
      for (const [name, item] of Object.entries(value)) if (isSchema(item)) yield [[keyword, name], item];
    }
  }
}

/** A copy of `schema` with each direct subschema replaced by what `convert` makes of it. */
export function mapSubschemas(
  schema: JsonSchema,
  convert: (subschema: JsonSchema, keyword: string) => AnySchema,
): JsonSchema {
  const copy: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const inner = (item: unknown): unknown => (isRecord(item) ? convert(item, keyword) : item);
    if (SINGLES.has(keyword) && isRecord(value)) copy[keyword] = convert(value, keyword);
    else if (LISTS.has(keyword) && Array.isArray(value)) copy[keyword] = value.map(inner);
    else if (MAPS.has(keyword) && isRecord(value)) copy[keyword] = mapValues(value, inner);
    else copy[keyword] = value;
  }
  return copy;
}

/** Through entries, so that a key like `__proto__` stays an ordinary key. */
const mapValues = (
  record: Readonly<Record<string, unknown>>,
  convert: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value)]));

/** What kind of thing a keyword holds: one schema, a list or a map of them, or none. */
export function holdsSchemas(keyword: string, value: unknown): "single" | "list" | "map" | "none" {
  if (MAPS.has(keyword) && isRecord(value)) return "map";
  if (LISTS.has(keyword) && Array.isArray(value)) return "list";
  return SINGLES.has(keyword) && isSchema(value) ? "single" : "none";
}
