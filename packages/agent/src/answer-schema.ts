import {
  describeSchema,
  formatPath,
  type InputSchema,
  type JsonSchema,
  jsonSchema,
  type Problem,
  problemsOf,
  SetupError,
} from "@toycoder/core";
import { hoistReferences, isPlainRoot, isRecord } from "@toycoder/core/wire";
import { parseAnswer } from "./parse-answer.ts";

/** A final answer, judged: its value and its JSON text, or what is wrong with it, a line each. */
export type JudgedAnswer = { ok: true; value: unknown; text: string } | { ok: false; problems: string[] };

/** What a run's final answer must be. */
export interface AnswerSchema {
  /** What the provider is asked for: an object at its root, whatever the schema's own is. */
  readonly wire: JsonSchema;
  /** Takes an answer as it is: nothing is converted, no default filled in. */
  judge(answer: string): Promise<JudgedAnswer>;
}

/** The property that holds an answer which is no object: providers ask for objects alone. */
const HOLDER = "value";

/**
 * Makes it of a raw JSON Schema (every dialect that tools take) or of a schema that describes itself (zod, Standard
 * JSON Schema). Rejects with a SetupError where that can't be done, so that no request is made in vain.
 */
export async function answerSchema(given: unknown): Promise<AnswerSchema> {
  const schema = standardSchema(given);
  const described = describeSchema(schema, "the answer's schema");
  // Compiles it: what is wrong with a raw schema shows here.
  await problemsOf(null, schema, described);
  const wrapped = !isPlainRoot(described);
  return {
    wire: wrapped ? inHolder(described) : described,
    async judge(answer) {
      const parsed = parseAnswer(answer);
      if (!parsed.ok) return { ok: false, problems: [parsed.problem] };
      let found: readonly Problem[] | undefined;
      for (const { value, text } of wrapped ? [...held(parsed.value), parsed] : [parsed]) {
        const problems = await problemsOf(value, schema, described);
        if (problems.length === 0) return { ok: true, value, text };
        found ??= problems;
      }
      return { ok: false, problems: inWords(found ?? []) };
    },
  };
}

function standardSchema(given: unknown): InputSchema {
  const isObject = (typeof given === "object" && given !== null) || typeof given === "function";
  if (isObject && "~standard" in given) return given as InputSchema;
  if (!isRecord(given)) throw noSchema("a JSON Schema is an object");
  const keys = Object.keys(given);
  if (keys.length > 0 && !keys.some((key) => KEYWORDS.has(key)))
    throw noSchema(`this is no JSON Schema: ${keys.slice(0, 3).join(", ")} are no keywords of one`);
  return jsonSchema(given);
}

/** Whoever gives an example in place of a schema has none of them. */
const KEYWORDS = new Set([
  "$schema", "$id", "id", "$ref", "$dynamicRef", "$defs", "definitions", "$comment", "title", "description", "default",
  "examples", "type", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum",
  "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "properties", "required", "additionalProperties",
  "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas",
  "dependencies", "unevaluatedProperties", "items", "prefixItems", "additionalItems", "contains", "minItems",
  "maxItems", "uniqueItems", "unevaluatedItems", "anyOf", "oneOf", "allOf", "not", "if", "then", "else",
]); // prettier-ignore

const noSchema = (problem: string): SetupError =>
  new SetupError("output_schema_invalid", problem, {
    hint: 'write for instance { "type": "object", "properties": { "summary": { "type": "string" } }, "required": ["summary"] }',
  });

function inHolder(schema: JsonSchema): JsonSchema {
  const { $defs, $schema: _, ...inner } = hoistReferences(schema, { root: true });
  return {
    type: "object",
    properties: { [HOLDER]: inner },
    required: [HOLDER],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
  };
}

/** What is in the holder; a model may leave it out. */
function held(value: unknown): { value: unknown; text: string }[] {
  if (!isRecord(value) || Object.keys(value).join() !== HOLDER) return [];
  return [{ value: value[HOLDER], text: JSON.stringify(value[HOLDER]) }];
}

const MAX_PROBLEMS = 10;

function inWords(problems: readonly Problem[]): string[] {
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `${path.length === 0 ? "the answer" : formatPath(path)}: ${message}`);
  const more = problems.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}
