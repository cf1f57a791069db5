import { isOfType } from "../schema/is-of-type.ts";
import { isRecord, type JsonSchema, typesOf } from "../schema/json-schema.ts";
import { join, type LostKeyword } from "./clean-schema.ts";
import { restoreOptionals } from "./restore-optionals.ts";
import { createSize, MAX_NESTING, type SchemaSize } from "./strict-limits.ts";
import { takesNull } from "./takes-null.ts";
import { areExclusive, beginAlike } from "./union-branches.ts";

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

/** OpenAI docs, Structured Outputs, "Supported schemas": the keywords that strict mode takes as they are. */
const KEPT = new Set([
  "description", "type", "enum", "const", "format", "pattern", "multipleOf",
  "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
]); // prettier-ignore
/** They enforce nothing. Examples and the default are told in the description. */
const ANNOTATIONS = new Set([
  "title", "examples", "deprecated", "readOnly", "writeOnly", "default", "$defs",
]); // prettier-ignore
const ENFORCED_HERE = new Set(["minLength", "maxLength", "uniqueItems"]);

interface Work {
  root: JsonSchema;
  wrappers: Map<unknown, JsonSchema>;
  originals: Map<unknown, JsonSchema>;
  optional: string[];
  unsupported: string[];
  lost: LostKeyword[];
  size: SchemaSize;
  firstKeys: "any" | "distinct";
}

/**
 * Lowers a cleaned schema to strict form: the root an object, every property required, no other properties, an
 * optional one `anyOf [T, null]`, defaults told in the description. What strict mode cannot say (records, tuples,
 * open objects, any value, `allOf`, sizes over the limits) comes back as {@link NotStrict}. What it says less
 * exactly is added to `lost`: lengths of strings, a `oneOf` whose branches overlap, and the absence of a property
 * that takes null itself and has no default. With `firstKeys: "any"`, objects of a union may begin alike, which
 * OpenAI refuses.
 */
export function toStrictSchema(
  root: JsonSchema,
  lost: LostKeyword[],
  { firstKeys = "distinct" }: { firstKeys?: Work["firstKeys"] } = {},
): StrictSchema | NotStrict {
  const work: Work = {
    root,
    wrappers: new Map(),
    originals: new Map(),
    optional: [],
    unsupported: [],
    lost,
    size: createSize(),
    firstKeys,
  };
  const lostBefore = lost.length;
  if (root.type !== "object") work.unsupported.push("the root is not an object");
  const schema = lower(root, "", 0, work);
  if (isRecord(root.$defs)) {
    schema.$defs = Object.fromEntries(
      Object.entries(root.$defs).map(([name, definition]) => {
        work.size.definition(name);
        return [name, lower(definition, name, 0, work)];
      }),
    );
  }
  work.unsupported.push(...work.size.exceeded());
  if (work.unsupported.length > 0) {
    lost.length = lostBefore;
    return { unsupported: work.unsupported };
  }
  return {
    schema,
    optional: work.optional,
    undo: (value) => (work.optional.length === 0 ? value : restoreOptionals(value, schema, schema, work)),
  };
}

function lower(schema: JsonSchema | boolean, path: string, depth: number, work: Work): JsonSchema {
  const refuse = (what: string): JsonSchema => {
    work.unsupported.push(`${path || "(root)"}: ${what}`);
    return {};
  };
  if (!isRecord(schema)) return refuse("any value");
  if (depth > MAX_NESTING) return refuse(`nested more than ${MAX_NESTING} deep`);
  const description = describe(schema);
  const lowered: JsonSchema = description === undefined ? {} : { description };
  const types = literalTypes(schema) ?? schema.type;
  const read = new Set(readKeywords(schema, types));
  for (const [keyword, value] of Object.entries(schema)) {
    if (KEPT.has(keyword)) lowered[keyword] ??= value;
    else if (ENFORCED_HERE.has(keyword)) {
      work.lost.push({ path, keyword });
      work.originals.set(lowered, schema);
    } else if (!read.has(keyword) && !ANNOTATIONS.has(keyword)) return refuse(keyword);
  }
  const isPlain = Object.keys(lowered).every((keyword) => keyword === "description");
  if (schema.$ref !== undefined) {
    if (!isKnownReference(schema.$ref, work.root)) return refuse(`$ref ${schema.$ref}`);
    if (!isPlain) return refuse("a $ref with other keywords");
    const reference = { $ref: schema.$ref };
    return description === undefined ? reference : { description, anyOf: [reference] };
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    if (!isPlain) return refuse("a union with other keywords");
    if (work.firstKeys === "distinct" && beginAlike(branches, work.root))
      return refuse("a union of objects that begin with the same property");
    if (schema.oneOf !== undefined && !areExclusive(branches, work.root))
      work.lost.push({ path, keyword: "oneOf" });
    lowered.anyOf = branches.map((branch) => lower(branch, path, depth + 1, work));
    return lowered;
  }
  if (types === undefined) return refuse("any value");
  lowered.type = types;
  if (!lowerLiterals(lowered, work)) return refuse("an enum without a value of its type");
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

/** The keywords that `lower` looks at in this schema; any other would be dropped unseen. */
function readKeywords(schema: JsonSchema, types: string | string[] | undefined): Iterable<string> {
  if (schema.$ref !== undefined) return ["$ref"];
  if (schema.anyOf !== undefined) return ["anyOf"];
  if (schema.oneOf !== undefined) return ["oneOf"];
  if (types === "object") return ["properties", "required", "additionalProperties"];
  return types === "array" ? ["items"] : [];
}

function lowerObject(schema: JsonSchema, lowered: JsonSchema, path: string, depth: number, work: Work): void {
  const refuse = (what: string): void => void work.unsupported.push(`${path || "(root)"}: ${what}`);
  const required = new Set(schema.required);
  const given = schema.properties ?? {};
  if (schema.additionalProperties !== false) refuse("an open object");
  if ([...required].some((name) => !Object.hasOwn(given, name)))
    refuse("a required property that is not among the properties");
  const properties = Object.entries(given).map(([name, property]): [string, JsonSchema] => {
    const at = join(path, name);
    work.size.property(name);
    const own = lower(property, at, depth + 1, work);
    return [name, required.has(name) ? own : lowerOptional(own, at, property, work)];
  });
  lowered.properties = Object.fromEntries(properties);
  lowered.required = properties.map(([name]) => name);
  lowered.additionalProperties = false;
}

function lowerOptional(own: JsonSchema, path: string, given: JsonSchema | boolean, work: Work): JsonSchema {
  if (takesNull(own, work.root)) {
    // A default is told: whoever means it can say it.
    if (!isRecord(given) || given.default === undefined) work.lost.push({ path, keyword: "optional" });
    return own;
  }
  const { description, ...rest } = own;
  const branches = Object.keys(rest).join() === "anyOf" ? (rest.anyOf ?? []) : [rest];
  const wrapper: JsonSchema = { anyOf: [...branches, { type: "null" }] };
  if (description !== undefined) wrapper.description = description;
  work.wrappers.set(wrapper, rest);
  const original = work.originals.get(own);
  if (original !== undefined) work.originals.set(rest, original);
  work.optional.push(path);
  return wrapper;
}

function describe(schema: JsonSchema): string | undefined {
  const told = schema.description === undefined ? [] : [schema.description];
  const shown = (value: unknown): string => JSON.stringify(value);
  if (Array.isArray(schema.examples) && schema.examples.length > 0)
    told.push(`Examples: ${schema.examples.map(shown).join(", ")}.`);
  if (schema.default !== undefined) told.push(`Default: ${shown(schema.default)}.`);
  return told.length === 0 ? undefined : told.join(" ");
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

/** Counts the literals, and takes out those that the type forbids: OpenAI refuses them. False where none is left. */
function lowerLiterals(lowered: JsonSchema, { size }: Work): boolean {
  const types = typesOf(lowered);
  const fits = (value: unknown): boolean => types.some((type) => isOfType(value, type));
  const values = lowered.const === undefined ? lowered.enum : [lowered.const];
  if (values === undefined) return true;
  const kept = values.filter(fits);
  size.literals(kept);
  if (lowered.enum !== undefined) lowered.enum = lowered.enum.filter(fits);
  return kept.length > 0 && lowered.enum?.length !== 0;
}
