import { isRecord, type JsonSchema, typesOf } from "../schema/json-schema.ts";
import { holdsSchemas } from "../schema/subschemas.ts";
import { spellKeys } from "./spell-keys.ts";
import { areExclusive } from "./union-branches.ts";

/** A keyword that a server doesn't take. It is left out on the wire; the real schema still enforces it. */
export interface LostKeyword {
  /**
   * Where in the schema, as a path of property names: `edits[].line`, `range[0]`; empty for the root. `*` stands for
   * keys that have no name in the schema; a definition under `$defs` is a path of its own.
   */
  path: string;
  /** `optional`: a property that can no longer be left out, because null means something else there. */
  keyword: string;
}

/** Which parts of JSON Schema a server takes. */
export interface CleanRules {
  /** The values of `format` that the server knows. */
  formats: ReadonlySet<string>;
  /** Whether every array needs a schema in `items`. */
  arraysNeedItems?: boolean;
}

const SILENT = new Set(["$schema", "$id", "$comment", "id"]);

/** Look-ahead, look-behind and back references: regular expressions that constrained decoders refuse. */
const LOOK_AROUND = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

/**
 * A copy of `schema` without the keywords that servers are known to reject: `propertyNames` ("'propertyNames' is
 * not permitted"), patterns with look-around, `$schema` and its like, formats outside `rules.formats`. Every
 * object has `properties`. What was enforced by a dropped keyword is added to `lost`; what can be said in other
 * words (keys that `propertyNames` enumerates, `true` and `false` as schemas, `items: false`) is.
 */
export function cleanSchema(
  schema: JsonSchema,
  rules: CleanRules,
  lost: LostKeyword[],
  path = "",
): JsonSchema {
  const kept: [string, unknown][] = [];
  const spelled = spellKeys(schema);
  for (const [keyword, value] of Object.entries(spelled)) {
    if (SILENT.has(keyword) && typeof value === "string") continue;
    if (isDefaultBound(keyword, value)) continue;
    if (isRejected(keyword, value, rules)) {
      if (!isHarmless(keyword, value)) lost.push({ path, keyword });
      continue;
    }
    const before = lost.length;
    const cleaned = within(keyword, value, rules, lost, path);
    if (lost.length > before && isReversed(keyword, cleaned)) {
      // The branches of a oneOf may overlap now; what a loosened `not` or `if` says would refuse too much.
      lost.push({ path, keyword });
      if (keyword === "oneOf" && spelled.anyOf === undefined) kept.push(["anyOf", cleaned]);
    } else kept.push([keyword, cleaned]);
  }
  const clean: JsonSchema = Object.fromEntries(kept);
  if (clean.if === undefined) dropBranches(clean, lost, path);
  dropKeyPatterns(clean, lost, path);
  const types = typesOf(clean);
  if (types.includes("object")) clean.properties ??= {};
  if (types.includes("array") && rules.arraysNeedItems === true) giveItems(clean);
  return clean;
}

function isRejected(keyword: string, value: unknown, { formats }: CleanRules): boolean {
  if (keyword === "propertyNames") return true;
  if (keyword === "format") return typeof value !== "string" || !formats.has(value);
  return keyword === "pattern" && typeof value === "string" && LOOK_AROUND.test(value);
}

/** Whether a keyword takes fewer values when what stands in it takes more. */
const isReversed = (keyword: string, value: unknown): boolean =>
  keyword === "not" ||
  keyword === "if" ||
  (keyword === "oneOf" && Array.isArray(value) && !areExclusive(value, {}));

/** `then` and `else` say nothing without their `if`. */
function dropBranches(schema: JsonSchema, lost: LostKeyword[], path: string): void {
  for (const keyword of ["then", "else"]) {
    if (schema[keyword] === undefined) continue;
    delete schema[keyword];
    lost.push({ path, keyword });
  }
}

const isHarmless = (keyword: string, value: unknown): boolean =>
  keyword === "propertyNames" &&
  (value === true ||
    (isRecord(value) && Object.keys(value).every((key) => key === "type") && value.type === "string"));

/** The bounds that zod writes for every integer: those of a double. They say nothing and cost tokens. */
const isDefaultBound = (keyword: string, value: unknown): boolean =>
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER);

function within(
  keyword: string,
  value: unknown,
  rules: CleanRules,
  lost: LostKeyword[],
  path: string,
): unknown {
  const inner = (item: unknown, at: string): unknown =>
    isRecord(item) ? cleanSchema(item, rules, lost, at) : item;
  switch (holdsSchemas(keyword, value)) {
    case "single":
      return inner(value, itemPath(keyword, path));
    case "list":
      return (value as unknown[]).map((item, index) =>
        inner(item, keyword === "prefixItems" ? `${path}[${index}]` : path),
      );
    case "map":
      return Object.fromEntries(
        Object.entries(value as Record<string, unknown>).map(([name, item]) => [
          name,
          inner(keyword === "properties" ? spellBoolean(item) : item, namedPath(keyword, path, name)),
        ]),
      );
    default:
      return value;
  }
}

function itemPath(keyword: string, path: string): string {
  if (keyword === "items") return `${path}[]`;
  return keyword === "additionalProperties" ? join(path, "*") : path;
}

function namedPath(keyword: string, path: string, name: string): string {
  if (keyword === "properties") return join(path, name);
  if (keyword === "patternProperties") return join(path, "*");
  return keyword === "$defs" || keyword === "definitions" ? name : path;
}

const spellBoolean = (schema: unknown): unknown =>
  typeof schema === "boolean" ? (schema ? {} : { not: {} }) : schema;

/** Without a pattern for keys, what it allowed must be allowed as another key. */
function dropKeyPatterns(schema: JsonSchema, lost: LostKeyword[], path: string): void {
  const { patternProperties } = schema;
  if (!isRecord(patternProperties)) return;
  const kept = Object.entries(patternProperties).filter(([pattern]) => !LOOK_AROUND.test(pattern));
  if (kept.length === Object.keys(patternProperties).length) return;
  if (kept.length > 0) schema.patternProperties = Object.fromEntries(kept);
  else delete schema.patternProperties;
  lost.push({ path, keyword: "patternProperties" });
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (schema[keyword] === undefined || schema[keyword] === true) continue;
    delete schema[keyword];
    lost.push({ path, keyword });
  }
}

/** `items: false` after n `prefixItems` is the same as `maxItems: n`; then it does not matter what `items` says. */
function giveItems(schema: JsonSchema): void {
  if (isRecord(schema.items)) return;
  const first: unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const { maxItems = Infinity } = schema as { maxItems?: number };
  if (schema.items === false) schema.maxItems = Math.min(maxItems, first.length);
  const isClosed = schema.items === false || maxItems <= first.length;
  const distinct = [...new Map(first.map((item) => [JSON.stringify(item), item])).values()].filter(isRecord);
  schema.items = isClosed && distinct.length > 1 ? { anyOf: distinct } : (isClosed && distinct[0]) || {};
}

/** `path` and a property's name under it. */
export const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
