import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";

const UNIONS = ["anyOf", "oneOf"] as const;
const REFUSED_AT_ROOT = ["not", "enum", "const", "if", "then", "else"];

/** True where a root can go on the wire as it is: an object without a union, an intersection or a reference. */
export const isPlainRoot = (schema: JsonSchema): boolean =>
  schema.type === "object" &&
  schema.$ref === undefined &&
  [...UNIONS, "allOf", ...REFUSED_AT_ROOT].every((keyword) => schema[keyword] === undefined);

/**
 * One plain object in place of a root with `anyOf`, `oneOf`, `allOf` or `$ref`, which OpenAI and Anthropic refuse
 * for a tool's input ("input_schema does not support oneOf, allOf, or anyOf at the top level"). A property of
 * several branches takes what any of them takes; required is what all of them require. Whatever the real schema
 * accepts, the flat one accepts too; it is the real one that judges the arguments.
 */
export function flattenRoot(schema: JsonSchema): JsonSchema {
  if (isPlainRoot(schema)) return schema;
  const { $defs, definitions } = schema;
  const parts = collect(schema, schema, 0);
  const flat: JsonSchema = { type: "object", properties: parts.properties };
  if (schema.description !== undefined) flat.description = schema.description;
  if (parts.required.size > 0) flat.required = [...parts.required];
  if (parts.closed) flat.additionalProperties = false;
  if ($defs !== undefined) flat.$defs = $defs;
  if (definitions !== undefined) flat.definitions = definitions;
  return flat;
}

interface Parts {
  properties: Record<string, JsonSchema | boolean>;
  required: Set<string>;
  closed: boolean;
}

const MAX_DEPTH = 16;

function collect(given: JsonSchema, root: JsonSchema, depth: number): Parts {
  const schema =
    given.$ref === undefined ? given : { ...dereference(given, root), ...given, $ref: undefined };
  const own: Parts = {
    properties: { ...schema.properties },
    required: new Set(schema.required),
    closed: schema.additionalProperties === false,
  };
  if (depth >= MAX_DEPTH) return own;
  const inner = (branch: unknown): Parts => collect(isRecord(branch) ? branch : {}, root, depth + 1);
  let result = own;
  for (const part of (schema.allOf ?? []).map(inner)) result = both(result, part);
  for (const keyword of UNIONS) {
    const branches = (schema[keyword] ?? []).map(inner);
    if (branches.length > 0) result = both(result, branches.reduce(either));
  }
  return result;
}

/** Holds for a value that fits both: closed only where the two name the same object. */
function both(a: Parts, b: Parts): Parts {
  const bare = Object.keys(a.properties).length === 0;
  return {
    properties: merge(a.properties, b.properties),
    required: new Set([...a.required, ...b.required]),
    closed: bare ? b.closed : a.closed && b.closed,
  };
}

const either = (a: Parts, b: Parts): Parts => ({
  properties: merge(a.properties, b.properties),
  required: new Set([...a.required].filter((name) => b.required.has(name))),
  closed: a.closed && b.closed,
});

function merge(a: Parts["properties"], b: Parts["properties"]): Parts["properties"] {
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? schema : widen(before, schema));
  }
  return Object.fromEntries(merged);
}

function widen(a: JsonSchema | boolean, b: JsonSchema | boolean): JsonSchema | boolean {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  if (!isRecord(a) || !isRecord(b)) return true;
  const values = [...(literals(a) ?? [undefined]), ...(literals(b) ?? [undefined])];
  if (!values.includes(undefined)) {
    const description = a.description ?? b.description;
    const type = a.type === b.type && a.type !== undefined ? { type: a.type } : {};
    return { ...type, enum: [...new Set(values)], ...(description === undefined ? {} : { description }) };
  }
  const known = Object.keys(a).join() === "anyOf" ? (a.anyOf ?? []) : [a];
  return { anyOf: [...known, b] };
}

/** The values of a `const` or an `enum` of plain values. */
const literals = (schema: JsonSchema): unknown[] | undefined =>
  schema.const === undefined ? schema.enum?.filter((value) => value !== undefined) : [schema.const];
