import { isRecord, type JsonSchema } from "../schema/json-schema.ts";

/** A keyword that a server doesn't take. It is left out on the wire; the real schema still enforces it. */
export interface LostKeyword {
  /** Where in the schema, as a path of property names: `edits[].line`; empty for the root. */
  path: string;
  keyword: string;
}

export interface CleanRules {
  /** The values of `format` that the server knows. */
  formats: ReadonlySet<string>;
}

const MAPS = new Set(["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SINGLES = new Set(["items", "additionalProperties", "not", "contains", "if", "then", "else"]);
const SILENT = new Set(["$schema", "$id", "$comment", "id"]);

/** Look-ahead, look-behind and back references: regular expressions that constrained decoders refuse. */
const LOOK_AROUND = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

/**
 * A copy of `schema` without the keywords that servers are known to reject: `propertyNames` ("'propertyNames' is
 * not permitted"), patterns with look-around, `$schema` and its like, formats outside `rules.formats`. Every
 * object has `properties`. What was enforced by a dropped keyword is added to `lost`.
 */
export function cleanSchema(
  schema: JsonSchema,
  rules: CleanRules,
  lost: LostKeyword[],
  path = "",
): JsonSchema {
  const clean: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (SILENT.has(keyword) && typeof value === "string") continue;
    if (isDefaultBound(keyword, value)) continue;
    if (isRejected(keyword, value, rules)) {
      if (!isHarmless(keyword, value)) lost.push({ path, keyword });
      continue;
    }
    clean[keyword] = within(keyword, value, rules, lost, path);
  }
  if (clean.type === "object" && clean.properties === undefined) clean.properties = {};
  return clean;
}

function isRejected(keyword: string, value: unknown, { formats }: CleanRules): boolean {
  if (keyword === "propertyNames") return true;
  if (keyword === "format") return typeof value !== "string" || !formats.has(value);
  return keyword === "pattern" && typeof value === "string" && LOOK_AROUND.test(value);
}

const isHarmless = (keyword: string, value: unknown): boolean =>
  keyword === "propertyNames" &&
  isRecord(value) &&
  Object.keys(value).join() === "type" &&
  value.type === "string";

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
  if (SINGLES.has(keyword) && isRecord(value)) {
    return cleanSchema(value, rules, lost, keyword === "items" ? `${path}[]` : path);
  }
  if (LISTS.has(keyword) && Array.isArray(value)) {
    return value.map((item: unknown) => (isRecord(item) ? cleanSchema(item, rules, lost, path) : item));
  }
  if (MAPS.has(keyword) && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        isRecord(item)
          ? cleanSchema(item, rules, lost, keyword === "properties" ? join(path, name) : name)
          : item,
      ]),
    );
  }
  return value;
}

/** `path` and a property's name under it. */
export const join = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);
