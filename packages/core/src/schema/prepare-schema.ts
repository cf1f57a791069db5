import { messageOf } from "../errors.ts";
import { checkKeywords } from "./check-keywords.ts";
import { compilePattern } from "./compile-pattern.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { localReferences } from "./local-references.ts";
import { notConvertible } from "./not-convertible.ts";
import { plainJson } from "./plain-json.ts";
import { type AnySchema, mapSubschemas, subschemas } from "./subschemas.ts";
import { upgradeSchema } from "./upgrade-schema.ts";

/** A raw schema of any dialect as 2020-12, with references as pointers into itself. */
export interface PreparedSchema {
  /** For models, and for our own reading. */
  shown: AnySchema;
  /** For the validator, which stands to what a few words mean. */
  checked: AnySchema;
}

/**
 * Judges a raw schema before anything runs: its dialect, its keywords' values, its references. A pattern that
 * JavaScript can't compile is dropped and told in the description instead: whoever made the schema enforces it.
 * Throws a SetupError `schema_not_convertible` that says where what is wrong.
 */
export function prepareSchema(given: unknown): PreparedSchema {
  const plain = copy(given);
  const dialect = dialectOf(plain);
  if (!isRecord(plain)) return { shown: plain, checked: plain };
  checkAll(plain, []);
  const own = settle(plain, dialect);
  const references = localReferences(own);
  const shown = upgradeSchema(own, dialect, references);
  const isSpecial = [...references.values()].includes(null) || JSON.stringify(own).includes('"__proto__":');
  return { shown, checked: isSpecial ? upgradeSchema(own, dialect, references, true) : shown };
}

function copy(given: unknown): AnySchema {
  let plain: unknown;
  try {
    plain = plainJson(given);
  } catch (cause) {
    if (cause instanceof RangeError) throw notConvertible("the schema is nested too deep", [], { cause });
    throw notConvertible(`the schema is not JSON: ${messageOf(cause).split("\n", 1)[0]}`, [], { cause });
  }
  if (isRecord(plain) || typeof plain === "boolean") return plain;
  throw notConvertible("a JSON Schema is an object");
}

/** Steps into a schema. Ajv could take some more, and not many times as many. */
const MAX_STEPS = 512;

function checkAll(schema: JsonSchema, at: readonly string[]): void {
  if (at.length > MAX_STEPS) throw notConvertible("the schema is nested too deep");
  // PHP writes an empty object as [].
  if (Array.isArray(schema.properties) && schema.properties.length === 0) schema.properties = {};
  checkKeywords(schema, at);
  for (const [steps, subschema] of subschemas(schema)) {
    if (isRecord(subschema)) checkAll(subschema, [...at, ...steps]);
  }
}

/** Takes out what Ajv would stumble over, or take for something of its own. */
function settle(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const settled = mapSubschemas(schema, (subschema) => settle(subschema, dialect));
  for (const keyword of ["$async", "$schema", "$vocabulary"]) delete settled[keyword];
  if (settled.nullable !== undefined && settled.type === undefined) delete settled.nullable;
  if (dialect === "draft-04") settleDraft04(settled);
  // Beside a $ref, dialects up to draft-07 read nothing.
  if (dialect.startsWith("draft-") && settled.$ref !== undefined) delete settled.$id;
  if (settled.pattern !== undefined && compilePattern(String(settled.pattern)) === undefined) {
    note(settled, `Matches the pattern ${String(settled.pattern)}`);
    delete settled.pattern;
  }
  if (isRecord(settled.patternProperties)) settlePatternProperties(settled, settled.patternProperties);
  return settled;
}

function settleDraft04(schema: JsonSchema): void {
  if (typeof schema.id === "string" && schema.$id === undefined) {
    schema.$id = schema.id;
    delete schema.id;
  }
  for (const [exclusive, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue;
    if (schema[exclusive] && schema[bound] !== undefined) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
}

function settlePatternProperties(schema: JsonSchema, patterns: Record<string, unknown>): void {
  const foreign = Object.keys(patterns).filter((pattern) => compilePattern(pattern) === undefined);
  if (foreign.length === 0) return;
  schema.patternProperties = Object.fromEntries(
    Object.entries(patterns).filter(([pattern]) => !foreign.includes(pattern)),
  );
  delete schema.additionalProperties;
  delete schema.unevaluatedProperties;
  note(schema, `Keys may match ${foreign.join(" or ")}`);
}

function note(schema: JsonSchema, text: string): void {
  schema.description = schema.description === undefined ? `${text}.` : `${schema.description} ${text}.`;
}
