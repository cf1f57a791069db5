import { isRecord, type JsonSchema } from "./json-schema.ts";
import { notConvertible } from "./not-convertible.ts";

const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

type Check = (value: unknown) => boolean;
const isSchema: Check = (value) => typeof value === "boolean" || isRecord(value);
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isNumber: Check = (value) => typeof value === "number";
const isString: Check = (value) => typeof value === "string";
const isNames: Check = (value) => Array.isArray(value) && value.every(isString);
const isSchemas: Check = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap: Check = (value) => isRecord(value) && Object.values(value).every(isSchema);
const isType: Check = (value) =>
  Array.isArray(value)
    ? value.length > 0 && value.every((one) => TYPES.has(one as string))
    : TYPES.has(value as string);

const group = (what: string, holds: Check, keywords: string): [string, [string, Check]][] =>
  keywords.split(" ").map((keyword) => [keyword, [what, holds]]);

const KEYWORDS: ReadonlyMap<string, [what: string, holds: Check]> = new Map([
  ...group("a type or a list of types", isType, "type"),
  ...group(
    "a schema",
    isSchema,
    "additionalItems additionalProperties contains contentSchema else if not propertyNames then unevaluatedItems unevaluatedProperties",
  ),
  ...group("a schema or a list of schemas", (value) => isSchema(value) || Array.isArray(value), "items"),
  ...group("a list of schemas", isSchemas, "allOf anyOf oneOf prefixItems"),
  ...group(
    "an object of schemas",
    isSchemaMap,
    "$defs definitions dependentSchemas patternProperties properties",
  ),
  ...group("an object of schemas or lists of names", isRecord, "dependencies dependentRequired"),
  ...group("a list of names", isNames, "required"),
  ...group("a list of values", (value) => Array.isArray(value) && value.length > 0, "enum"),
  ...group(
    "a whole number from 0",
    isCount,
    "maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties",
  ),
  ...group("a number", isNumber, "maximum minimum"),
  ...group(
    "a number",
    (value) => isNumber(value) || typeof value === "boolean",
    "exclusiveMaximum exclusiveMinimum",
  ),
  ...group("a number over 0", (value) => isNumber(value) && (value as number) > 0, "multipleOf"),
  ...group("true or false", (value) => typeof value === "boolean", "uniqueItems"),
  ...group("a string", isString, "$anchor $dynamicRef $id $recursiveRef $ref format pattern"),
]);

/**
 * Checks that each keyword of `schema` itself (not of what stands below it) has a value that it can have.
 * Throws a SetupError `schema_not_convertible` that says where and what.
 */
export function checkKeywords(schema: JsonSchema, at: readonly string[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const known = KEYWORDS.get(keyword);
    if (known === undefined || known[1](value)) continue;
    const found = JSON.stringify(value) ?? "undefined";
    throw notConvertible(`it must be ${known[0]}, not ${found.slice(0, 60)}`, [...at, keyword]);
  }
}
