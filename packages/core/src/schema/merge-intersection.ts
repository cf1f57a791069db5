import { dereference, isRecord, type JsonSchema } from "./json-schema.ts";
import type { AnySchema } from "./subschemas.ts";

const MAX_ALTERNATIVES = 64;
const MAX_DEPTH = 16;
const OF_PLAIN_OBJECTS = new Set([
  "type", "properties", "required", "additionalProperties", "description", "title", "default", "examples", "deprecated",
]); // prettier-ignore

/**
 * The intersection of plain objects, or of unions of such, as one object or one union of objects, without its
 * `allOf`. Undefined where a part is something else: a record, a loose object, a catchall.
 */
export function mergeIntersection(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { allOf: _, ...rest } = schema;
  const alternatives = alternativesOf({ allOf: schema.allOf ?? [] }, root, 0);
  if (alternatives === undefined || Object.keys(rest).some((keyword) => !ANNOTATIONS.has(keyword)))
    return undefined;
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) return { ...only, ...rest };
  return { ...rest, anyOf: alternatives };
}

const ANNOTATIONS = new Set([
  "description",
  "title",
  "default",
  "examples",
  "deprecated",
  "$defs",
  "definitions",
]);

/** The plain objects of which a value must fit one; undefined where the schema says more than that. */
function alternativesOf(schema: AnySchema, root: JsonSchema, depth: number): JsonSchema[] | undefined {
  if (!isRecord(schema) || depth > MAX_DEPTH) return undefined;
  const target: JsonSchema = dereference(schema, root);
  const union = target.anyOf ?? target.oneOf;
  if (union !== undefined) {
    const branches = union.map((branch) => alternativesOf(branch, root, depth + 1));
    return branches.includes(undefined) ? undefined : branches.flatMap((branch) => branch ?? []);
  }
  if (target.allOf === undefined) return isPlainObject(target) ? [target] : undefined;
  let merged: JsonSchema[] | undefined;
  for (const part of target.allOf) {
    const alternatives = alternativesOf(part, root, depth + 1);
    if (alternatives === undefined || alternatives.length * (merged?.length ?? 1) > MAX_ALTERNATIVES)
      return undefined;
    merged = merged?.flatMap((one) => alternatives.map((other) => both(one, other))) ?? alternatives;
  }
  return merged;
}

const isPlainObject = (schema: JsonSchema): boolean =>
  schema.type === "object" &&
  isRecord(schema.properties) &&
  (schema.additionalProperties === undefined || schema.additionalProperties === false) &&
  Object.keys(schema).every((keyword) => OF_PLAIN_OBJECTS.has(keyword));

function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = new Map(Object.entries(a.properties ?? {}));
  for (const [name, schema] of Object.entries(b.properties ?? {})) {
    const before = properties.get(name);
    const same = before === undefined || JSON.stringify(before) === JSON.stringify(schema);
    properties.set(name, same ? schema : { allOf: [before, schema] });
  }
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}
