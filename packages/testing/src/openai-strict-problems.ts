import type { JsonSchema } from "@toycoder/core";
import { openAiUnionProblems } from "./openai-union-problems.ts";
import { isObject, walkSchema } from "./walk-schema.ts";

const TYPES = new Set(["string", "number", "boolean", "integer", "object", "array", "null"]);
const FORMATS = new Set([
  "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid",
]); // prettier-ignore
const KEYWORDS = new Set([
  "type", "title", "description", "enum", "const", "properties", "required", "additionalProperties", "items",
  "anyOf", "$ref", "$defs", "definitions", "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum",
  "minimum", "exclusiveMinimum", "minItems", "maxItems",
]); // prettier-ignore
const LOOK_AROUND = /\(\?(?:[=!]|<[=!])/;
const LIMITS = { nesting: 10, properties: 5000, enumValues: 1000, characters: 120_000 };
const LONG_ENUM = { values: 250, characters: 15_000 };

/**
 * Where a schema leaves the subset of OpenAI's strict mode. From the guide "Structured Outputs", "Supported
 * schemas": types, keywords and formats; every object closed, with every property required; 5,000 properties, 10
 * levels of nesting (counted here in objects and arrays), 1,000 enum values, 120,000 characters in names, enum and
 * const values, 15,000 in one enum of more than 250 strings. And from the API's own messages: "$ref cannot have
 * keywords", "schema must have a 'type' key", "enum value does not validate".
 */
export function openAiStrictProblems(root: JsonSchema): string[] {
  const problems: string[] = [];
  for (const { schema, path, nesting } of walkSchema(root)) {
    const report = (problem: string): void => void problems.push(`${path || "(root)"}: ${problem}`);
    if (typeof schema === "boolean") {
      if (!path.endsWith("/additionalProperties")) report("true and false are no schemas in strict mode");
      continue;
    }
    if (nesting > LIMITS.nesting) report(`nested more than ${LIMITS.nesting} levels deep`);
    judge(schema, root, report);
  }
  return [...problems, ...sizeProblems(root)];
}

function judge(schema: JsonSchema, root: JsonSchema, report: (problem: string) => void): void {
  for (const keyword of Object.keys(schema)) {
    if (!KEYWORDS.has(keyword)) report(`${keyword} is not permitted`);
  }
  if (schema.$ref !== undefined) {
    const beside = Object.keys(schema).filter(
      (keyword) => !["$ref", "$defs", "definitions"].includes(keyword),
    );
    if (beside.length > 0) report(`$ref cannot have keywords (${beside.join(", ")})`);
    return;
  }
  if (Array.isArray(schema.anyOf)) openAiUnionProblems(schema.anyOf, root).forEach(report);
  else if (schema.type === undefined) report("schema must have a type");
  const types = [schema.type ?? []].flat();
  for (const type of types) if (!TYPES.has(type)) report(`type ${JSON.stringify(type)} is not supported`);
  if (types.includes("object")) judgeObject(schema, report);
  if (typeof schema.format === "string" && !FORMATS.has(schema.format))
    report(`format ${schema.format} is not supported`);
  if (typeof schema.pattern === "string" && LOOK_AROUND.test(schema.pattern))
    report("look-around in a pattern is not supported");
  for (const value of literals(schema)) {
    if (types.length > 0 && !types.some((type) => isOf(value, type)))
      report(`the value ${JSON.stringify(value)} does not fit the type`);
  }
}

function judgeObject(schema: JsonSchema, report: (problem: string) => void): void {
  const properties = Object.keys(schema.properties ?? {});
  const required = new Set(schema.required);
  if (schema.additionalProperties !== false) report("additionalProperties must be false");
  const missing = properties.filter((name) => !required.delete(name));
  if (missing.length > 0) report(`required must name every property (${missing.join(", ")})`);
  if (required.size > 0) report(`required names no property (${[...required].join(", ")})`);
}

function sizeProblems(root: JsonSchema): string[] {
  const size = { properties: 0, enumValues: 0, characters: 0 };
  const problems: string[] = [];
  for (const { schema, path } of walkSchema(root)) {
    if (typeof schema === "boolean") continue;
    const names = Object.keys(schema.properties ?? {});
    const definitions = Object.keys(schema.$defs ?? {});
    const values = literals(schema).map(String);
    size.properties += names.length;
    size.enumValues += schema.enum?.length ?? 0;
    size.characters += [...names, ...definitions, ...values].join("").length;
    if (values.length > LONG_ENUM.values && values.join("").length > LONG_ENUM.characters)
      problems.push(`${path}: more than ${LONG_ENUM.characters} characters in one enum`);
  }
  for (const measure of ["properties", "enumValues", "characters"] as const) {
    if (size[measure] > LIMITS[measure]) problems.push(`(root): more than ${LIMITS[measure]} ${measure}`);
  }
  return problems;
}

const literals = (schema: JsonSchema): readonly unknown[] => [
  ...(schema.enum ?? []),
  ...(schema.const === undefined ? [] : [schema.const]),
];

function isOf(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}
