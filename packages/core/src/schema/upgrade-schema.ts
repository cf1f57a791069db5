import type { Dialect } from "./dialect.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { escape, type References } from "./local-references.ts";
import { type AnySchema, holdsSchemas } from "./subschemas.ts";

const DROPPED = new Set([
  "$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "$ref", "nullable",
]); // prettier-ignore
/** What a `$ref` leaves standing beside itself in dialects up to draft-07. */
const BESIDE_REF = new Set([
  "$defs",
  "definitions",
  "description",
  "title",
  "default",
  "examples",
  "deprecated",
]);

const META_SCHEMA = "https://json-schema.org/draft/2020-12/schema";

/**
 * A schema of any dialect in the words of 2020-12, which is what providers take: lists in `items` become
 * `prefixItems`, `dependencies` are split, references become pointers from the root. A reference to a meta-schema
 * is dropped; `$dynamicRef` and `$recursiveRef` name what they would name if nothing stood around the schema.
 * `forAjv` keeps the reference to the meta-schema of 2020-12, and a property `__proto__` where Ajv sees it.
 */
export function upgradeSchema(
  root: JsonSchema,
  dialect: Dialect,
  references: References,
  forAjv = false,
): JsonSchema {
  const old = dialect !== "2019-09" && dialect !== "2020-12";
  const upgrade = (schema: JsonSchema): JsonSchema => {
    const target = references.get(schema);
    const result: JsonSchema = {};
    if (target === null && forAjv && schema.$ref === META_SCHEMA) result.$ref = META_SCHEMA;
    if (target) result.$ref = `#${modernSteps(target, root).map(escape).join("")}`;
    for (const [keyword, value] of Object.entries(schema)) {
      if (DROPPED.has(keyword) || (old && target && !BESIDE_REF.has(keyword))) continue;
      place(result, keyword, value, schema, inner);
    }
    if (schema.nullable === true) addNull(result);
    if (forAjv) moveProto(result);
    return result;
  };
  const inner = (value: unknown): unknown => (isRecord(value) ? upgrade(value) : value);
  return upgrade(root);
}

function place(
  result: JsonSchema,
  keyword: string,
  value: unknown,
  schema: JsonSchema,
  inner: (value: unknown) => unknown,
): void {
  const holds = holdsSchemas(keyword, value);
  if (keyword === "items" && Array.isArray(value)) result.prefixItems = value.map(inner) as AnySchema[];
  else if (keyword === "additionalItems") {
    if (Array.isArray(schema.items)) result.items = inner(value) as AnySchema;
  } else if (keyword === "dependencies" && isRecord(value)) {
    const entries = Object.entries(value);
    const names = entries.filter(([, needs]) => Array.isArray(needs));
    const needed = entries
      .filter(([, needs]) => !Array.isArray(needs))
      .map(([key, needs]) => [key, inner(needs)]);
    if (names.length > 0) result.dependentRequired = Object.fromEntries(names);
    if (needed.length > 0) result.dependentSchemas = Object.fromEntries(needed);
  } else if (holds === "single") result[keyword] = inner(value);
  else if (holds === "list" && Array.isArray(value)) result[keyword] = value.map(inner);
  else if (holds === "map" && isRecord(value)) {
    result[keyword] = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
  } else result[keyword] = value;
}

/** The same way through the upgraded schema. */
function modernSteps(steps: readonly string[], root: JsonSchema): string[] {
  const modern: string[] = [];
  let at: unknown = root;
  let isSchema = true;
  for (const step of steps) {
    const below: unknown = typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined;
    const keyword = isSchema ? modernKeyword(step, below, at) : step;
    modern.push(keyword);
    isSchema = !isSchema || holdsSchemas(step, below) === "single";
    at = below;
  }
  return modern;
}

function modernKeyword(step: string, value: unknown, schema: unknown): string {
  if (step === "items" && Array.isArray(value)) return "prefixItems";
  if (step === "additionalItems" && isRecord(schema) && Array.isArray(schema.items)) return "items";
  return step === "dependencies" ? "dependentSchemas" : step;
}

/** OpenAPI's `nullable`. */
function addNull(schema: JsonSchema): void {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "null"];
  schema.type = [...new Set([...types, "null"])];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}

/** Ajv leaves out a property of this name, and takes a pattern for it. */
function moveProto(schema: JsonSchema): void {
  const { properties, patternProperties } = schema;
  if (!isRecord(properties) || !Object.hasOwn(properties, "__proto__")) return;
  const { __proto__: own, ...rest } = Object.fromEntries(Object.entries(properties));
  schema.properties = rest;
  schema.patternProperties = { ...(isRecord(patternProperties) && patternProperties), "^__proto__$": own };
}
