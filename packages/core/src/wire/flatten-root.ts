import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";
import type { LostKeyword } from "./clean-schema.ts";
import { describeBranches } from "./describe-branches.ts";
import { isExact, mergeProperties, narrow, type Properties, widen } from "./merge-properties.ts";

const UNIONS = ["anyOf", "oneOf"] as const;
const REFUSED_AT_ROOT = ["not", "enum", "const", "if", "then", "else"];
/** What flattening reads or moves, and what enforces nothing. Every other keyword of the root is lost. */
const HANDLED = new Set([
  "type", "properties", "required", "additionalProperties", "allOf", ...UNIONS, "$ref", "$defs", "definitions",
  "description", "title", "examples", "default", "deprecated", "readOnly", "writeOnly",
]); // prettier-ignore

/** True where a root can go on the wire as it is: an object without a union, an intersection or a reference. */
export const isPlainRoot = (schema: JsonSchema): boolean =>
  schema.type === "object" &&
  schema.$ref === undefined &&
  [...UNIONS, "allOf", ...REFUSED_AT_ROOT].every((keyword) => schema[keyword] === undefined);

/**
 * One plain object in place of a root with `anyOf`, `oneOf`, `allOf` or `$ref`, which OpenAI and Anthropic refuse
 * for a tool's input ("input_schema does not support oneOf, allOf, or anyOf at the top level"). A property of
 * several branches takes what any of them takes; required is what all of them require; the description tells which
 * properties go together. Whatever the real schema accepts, the flat one accepts too (but that a property is told as
 * the branches tell it that name it, where others are open); it is the real one that judges the arguments. What the
 * flat one no longer says is added to `lost`.
 */
export function flattenRoot(schema: JsonSchema, lost: LostKeyword[] = []): JsonSchema {
  if (isPlainRoot(schema)) return schema;
  const { $defs, definitions } = schema;
  const parts = collect(schema, schema, new Set());
  const flat: JsonSchema = { type: "object", properties: parts.properties };
  const description = [schema.description, describeBranches(schema, schema)].filter(Boolean).join("\n");
  if (description !== "") flat.description = description;
  if (parts.required.size > 0) flat.required = [...parts.required];
  if (parts.closed) flat.additionalProperties = false;
  if ($defs !== undefined) flat.$defs = $defs;
  if (definitions !== undefined) flat.definitions = definitions;
  lost.push(...[...parts.lost].map((keyword) => ({ path: "", keyword })));
  return flat;
}

interface Parts {
  properties: Properties;
  required: Set<string>;
  /** Whether no other property is taken. */
  closed: boolean;
  lost: Set<string>;
}

/** `within` are the references on the way here: one that leads back says nothing new. */
function collect(schema: JsonSchema, root: JsonSchema, within: ReadonlySet<string>): Parts {
  let result = ownParts(schema);
  const inner = (branch: unknown): Parts => collect(isRecord(branch) ? branch : {}, root, within);
  if (schema.$ref !== undefined && !within.has(schema.$ref)) {
    const target = dereference(schema, root);
    result = both(result, collect(target, root, new Set([...within, schema.$ref])), "$ref");
  }
  for (const part of (schema.allOf ?? []).map(inner)) result = both(result, part, "allOf");
  for (const keyword of UNIONS) {
    const outer = result;
    const [first, ...more] = (schema[keyword] ?? []).map((branch) => both(outer, inner(branch), keyword));
    if (first === undefined) continue;
    result = more.reduce(either, first);
    if (more.length > 0) result.lost.add(keyword);
  }
  return result;
}

function ownParts(schema: JsonSchema): Parts {
  const { properties, required, additionalProperties: others, patternProperties } = schema;
  const lost = Object.keys(schema).filter((keyword) => !HANDLED.has(keyword));
  const saysMore = others === false ? patternProperties !== undefined : Object.keys(others ?? {}).length > 0;
  if (saysMore) lost.push("additionalProperties");
  return {
    properties: { ...properties },
    required: new Set(required),
    closed: others === false && patternProperties === undefined,
    lost: new Set(lost),
  };
}

/** Holds for a value that fits both. Where it holds for others, too, `keyword` (that brings in `b`) is lost. */
function both(a: Parts, b: Parts, keyword: string): Parts {
  const names = (parts: Parts, name: string): boolean => Object.hasOwn(parts.properties, name);
  const allowed = ({ properties }: Parts, other: Parts): Properties =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => !other.closed || names(other, name)));
  const areExact = Object.entries(b.properties).every(
    ([name, schema]) => !names(a, name) || isExact(a.properties[name] ?? {}, schema),
  );
  return {
    properties: mergeProperties(allowed(a, b), allowed(b, a), narrow),
    required: new Set([...a.required, ...b.required]),
    closed: a.closed || b.closed,
    lost: new Set([...a.lost, ...b.lost, ...(areExact ? [] : [keyword])]),
  };
}

const either = (a: Parts, b: Parts): Parts => ({
  properties: mergeProperties(a.properties, b.properties, widen),
  required: new Set([...a.required].filter((name) => b.required.has(name))),
  closed: a.closed && b.closed,
  lost: new Set([...a.lost, ...b.lost]),
});
