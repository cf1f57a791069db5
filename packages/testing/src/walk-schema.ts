import type { JsonSchema } from "@toycoder/core";

/** A schema within a schema. */
export interface SchemaPlace {
  schema: JsonSchema | boolean;
  /** The steps to it from the root, as a JSON pointer without the `#`. */
  path: string;
  /** How many objects and arrays it stands in. A definition starts at none. */
  nesting: number;
}

const ONE = [
  "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then",
  "unevaluatedItems", "unevaluatedProperties",
]; // prettier-ignore
const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
const NESTING = new Set([
  "additionalProperties", "contains", "items", "prefixItems", "patternProperties", "properties",
  "unevaluatedItems", "unevaluatedProperties",
]); // prettier-ignore

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every schema in a schema of JSON Schema 2020-12, the root first. References are not followed. */
export function* walkSchema(root: JsonSchema): Generator<SchemaPlace> {
  yield* walk(root, "", 0);
}

function* walk(schema: unknown, path: string, nesting: number): Generator<SchemaPlace> {
  if (typeof schema === "boolean") yield { schema, path, nesting };
  if (!isObject(schema)) return;
  yield { schema, path, nesting };
  const deeper = (keyword: string): number =>
    keyword === "$defs" || keyword === "definitions" ? 0 : nesting + (NESTING.has(keyword) ? 1 : 0);
  for (const keyword of ONE) yield* walk(schema[keyword], `${path}/${keyword}`, deeper(keyword));
  for (const keyword of LISTS) {
    const list = schema[keyword];
    for (const [index, item] of Array.isArray(list) ? list.entries() : [])
      yield* walk(item, `${path}/${keyword}/${index}`, deeper(keyword));
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    for (const [name, item] of isObject(map) ? Object.entries(map) : [])
      yield* walk(item, `${path}/${keyword}/${escapeStep(name)}`, deeper(keyword));
  }
}

const escapeStep = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The schema that a `$ref` within `root` leads to; undefined where it leads nowhere, or around in a circle. */
export function resolveReference(reference: unknown, root: JsonSchema, hops = 0): JsonSchema | undefined {
  if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference) || hops > 32) return undefined;
  let at: unknown = root;
  for (const step of reference.split("/").slice(1)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  if (!isObject(at)) return typeof at === "boolean" ? {} : undefined;
  return at.$ref === undefined ? at : resolveReference(at.$ref, root, hops + 1);
}
