import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";
import { join, type LostKeyword } from "./clean-schema.ts";
import { restoreOptionals } from "./restore-optionals.ts";

/** A schema in OpenAI's strict form, and the way back for the values it brings. */
export interface StrictSchema {
  schema: JsonSchema;
  /** The properties that were optional, as paths: `limit`, `edits[].all`. */
  optional: readonly string[];
  /** Takes out the nulls that stand for "absent", and no others. */
  undo(value: unknown): unknown;
}

/** The places of a schema that strict mode cannot say: `path: what`. */
export interface NotStrict {
  unsupported: readonly string[];
}

/** OpenAI docs, Structured Outputs: "Supported schemas" and its limits on size. */
const LIMITS = { depth: 10, properties: 5000, enumValues: 1000, characters: 120_000 };
const KEPT = new Set([
  "description", "type", "enum", "const", "format", "pattern", "multipleOf",
  "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
]); // prettier-ignore
const READ = new Set([
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "oneOf",
  "$ref",
  "$defs",
]);
const ANNOTATIONS = new Set(["title", "examples", "deprecated", "readOnly", "writeOnly", "default"]);
const ENFORCED_HERE = new Set(["minLength", "maxLength", "uniqueItems"]);

interface Work {
  root: JsonSchema;
  wrappers: Map<unknown, JsonSchema>;
  optional: string[];
  unsupported: string[];
  lost: LostKeyword[];
  size: { properties: number; enumValues: number; characters: number };
}

/**
 * Lowers a cleaned schema to strict form: the root an object, every property required, no other properties, an
 * optional one `anyOf [T, null]`, defaults told in the description. What strict mode cannot say (records, tuples,
 * open objects, any value, `allOf`, sizes over the limits) comes back as {@link NotStrict}.
 */
export function toStrictSchema(root: JsonSchema, lost: LostKeyword[]): StrictSchema | NotStrict {
  const work: Work = {
    root,
    wrappers: new Map(),
    optional: [],
    unsupported: [],
    lost,
    size: { properties: 0, enumValues: 0, characters: 0 },
  };
  const lostBefore = lost.length;
  if (root.type !== "object") work.unsupported.push("the root is not an object");
  const schema = lower(root, "", 0, work);
  if (isRecord(root.$defs)) {
    schema.$defs = Object.fromEntries(
      Object.entries(root.$defs).map(([name, def]) => [name, lower(def, name, 0, work)]),
    );
  }
  for (const measure of ["properties", "enumValues", "characters"] as const) {
    if (work.size[measure] > LIMITS[measure])
      work.unsupported.push(`more than ${LIMITS[measure]} ${measure}`);
  }
  if (work.unsupported.length > 0) {
    lost.length = lostBefore;
    return { unsupported: work.unsupported };
  }
  return {
    schema,
    optional: work.optional,
    undo: (value) =>
      work.optional.length === 0 ? value : restoreOptionals(value, schema, schema, work.wrappers),
  };
}

function lower(schema: JsonSchema | boolean, path: string, depth: number, work: Work): JsonSchema {
  const refuse = (what: string): JsonSchema => {
    work.unsupported.push(`${path || "(root)"}: ${what}`);
    return {};
  };
  if (!isRecord(schema)) return refuse("any value");
  if (depth > LIMITS.depth) return refuse(`nested more than ${LIMITS.depth} deep`);
  const description = describe(schema);
  if (schema.$ref !== undefined) {
    if (!isKnownReference(schema.$ref, work.root)) return refuse(`$ref ${schema.$ref}`);
    const reference = { $ref: schema.$ref };
    return description === undefined ? reference : { description, anyOf: [reference] };
  }
  const lowered: JsonSchema = description === undefined ? {} : { description };
  for (const [keyword, value] of Object.entries(schema)) {
    if (KEPT.has(keyword)) lowered[keyword] ??= value;
    else if (ENFORCED_HERE.has(keyword)) work.lost.push({ path, keyword });
    else if (!READ.has(keyword) && !ANNOTATIONS.has(keyword)) return refuse(keyword);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    if (Object.keys(lowered).some((keyword) => keyword !== "description"))
      return refuse("a union with other keywords");
    lowered.anyOf = branches.map((branch) => lower(branch, path, depth + 1, work));
    return lowered;
  }
  const types = literalTypes(schema) ?? schema.type;
  if (types === undefined) return refuse("any value");
  lowered.type = types;
  measureLiterals(schema, work);
  if (types === "array") {
    if (!isRecord(schema.items)) return refuse("an array without a schema for its items");
    lowered.items = lower(schema.items, `${path}[]`, depth + 1, work);
  } else if (types === "object") {
    lowerObject(schema, lowered, path, depth, work);
  } else if (Array.isArray(types) && (types.includes("object") || types.includes("array"))) {
    return refuse("an object or array among several types");
  }
  return lowered;
}

function lowerObject(schema: JsonSchema, lowered: JsonSchema, path: string, depth: number, work: Work): void {
  if (schema.additionalProperties !== false) work.unsupported.push(`${path || "(root)"}: an open object`);
  const required = new Set(schema.required);
  const properties: [string, JsonSchema][] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = join(path, name);
    work.size.properties += 1;
    work.size.characters += name.length;
    const own = lower(property, at, depth + 1, work);
    const optional = !required.has(name) && !takesNull(own, work.root);
    properties.push([name, optional ? makeOptional(own, at, work) : own]);
  }
  lowered.properties = Object.fromEntries(properties);
  lowered.required = properties.map(([name]) => name);
  lowered.additionalProperties = false;
}

function makeOptional(own: JsonSchema, path: string, work: Work): JsonSchema {
  const { description, ...rest } = own;
  const wrapper: JsonSchema = { anyOf: [rest, { type: "null" }] };
  if (description !== undefined) wrapper.description = description;
  work.wrappers.set(wrapper, rest);
  work.optional.push(path);
  return wrapper;
}

function describe(schema: JsonSchema): string | undefined {
  if (schema.default === undefined) return schema.description;
  const told = `Default: ${JSON.stringify(schema.default)}.`;
  return schema.description === undefined ? told : `${schema.description} ${told}`;
}

const isKnownReference = (reference: string, root: JsonSchema): boolean =>
  reference === "#" ||
  (/^#\/\$defs\/[^/~%]+$/.test(reference) &&
    Object.hasOwn(root.$defs ?? {}, reference.slice("#/$defs/".length)));

/** The type of an `enum` or `const`, which strict mode wants named; undefined where there is none of plain values. */
function literalTypes(schema: JsonSchema): string | string[] | undefined {
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values === undefined || schema.type !== undefined) return undefined;
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  if (types.some((type) => !["null", "string", "number", "boolean"].includes(type))) return undefined;
  return types.length === 1 ? types[0] : types;
}

function measureLiterals(schema: JsonSchema, { size }: Work): void {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  size.enumValues += values.length;
  size.characters += values.reduce<number>((sum, value) => sum + String(value).length, 0);
}

function takesNull(schema: JsonSchema, root: JsonSchema, depth = 0): boolean {
  if (depth > LIMITS.depth) return false;
  if (schema.$ref !== undefined) return takesNull(dereference(schema, root), root, depth + 1);
  if (schema.enum !== undefined) return schema.enum.includes(null);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.includes("null")) return true;
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  return branches.some((branch) => isRecord(branch) && takesNull(branch, root, depth + 1));
}
