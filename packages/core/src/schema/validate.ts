import type { StandardSchemaV1 } from "@standard-schema/spec";
import { coerce } from "./coerce.ts";
import { RAW_VENDOR } from "./input-schema.ts";
import type { JsonSchema, Problem } from "./json-schema.ts";
import type { Misfit } from "./judge.ts";
import { cut } from "./show-short.ts";
import { isTooDeep, MAX_DEPTH } from "./too-deep.ts";
import { unknownKeys } from "./unknown-keys.ts";

const TOO_DEEP: Problem = { path: [], message: `expected at most ${MAX_DEPTH} levels of nesting` };

/** Arguments that fit, as the schema gives them out, or everything that is wrong with them. */
export type Validated = { ok: true; value: unknown } | { ok: false; problems: Problem[] };

/**
 * Judges a model's arguments: coerce by the table of `coerce`, the schema's own validation, and unknown keys where
 * the schema is closed. All problems are reported at once, in the same words for every kind of schema. Never
 * mutates `value`.
 */
export function validate(
  value: Readonly<Record<string, unknown>>,
  schema: StandardSchemaV1,
  jsonSchema: JsonSchema,
): Validated | Promise<Validated> {
  if (isTooDeep(value)) {
    return { ok: false, problems: [TOO_DEEP] };
  }
  const coerced = coerce(value, jsonSchema);
  const standard = schema["~standard"];
  // Raw schemas and their validator are of one mind about unknown keys.
  const unknown = standard.vendor === RAW_VENDOR ? NONE : unknownKeys(coerced, jsonSchema);
  const result = standard.validate(coerced);
  return result instanceof Promise
    ? result.then((done) => conclude(done, coerced, jsonSchema, unknown))
    : conclude(result, coerced, jsonSchema, unknown);
}

const NONE: readonly Misfit[] = [];

function conclude(
  result: StandardSchemaV1.Result<unknown>,
  coerced: unknown,
  jsonSchema: JsonSchema,
  unknown: readonly Misfit[],
): Validated | Promise<Validated> {
  if (result.issues === undefined && unknown.length === 0) return { ok: true, value: result.value };
  return refuse(result.issues ?? [], coerced, jsonSchema, unknown);
}

/** What it takes to put problems into words is loaded at the first wrong call. */
async function refuse(
  issues: readonly StandardSchemaV1.Issue[],
  coerced: unknown,
  jsonSchema: JsonSchema,
  unknown: readonly Misfit[],
): Promise<Validated> {
  const { describeIssues } = await import("./describe-issues.ts");
  return { ok: false, problems: describeIssues(issues, coerced, jsonSchema, unknown) };
}

/** What is wrong with a value as it is: nothing is converted. Closed schemas refuse unknown keys, as `validate` does. */
export async function problemsOf(
  value: unknown,
  schema: StandardSchemaV1,
  jsonSchema: JsonSchema,
): Promise<readonly Problem[]> {
  if (isTooDeep(value)) return [TOO_DEEP];
  const standard = schema["~standard"];
  const unknown = standard.vendor === RAW_VENDOR ? NONE : unknownKeys(value, jsonSchema);
  const result = await conclude(await standard.validate(value), value, jsonSchema, unknown);
  return result.ok ? [] : result.problems;
}

const MAX_PATH = 120;

/** One line a problem: `path.to[0].key: message`. At most `limit` lines, the rest counted. */
export function describeProblems(problems: readonly Problem[], limit = 10): string {
  const lines = problems
    .slice(0, limit)
    .map(({ path, message }) => `${shortPath(formatPath(path))}: ${message}`);
  if (problems.length > limit) lines.push(`… and ${problems.length - limit} more`);
  return lines.join("\n");
}

const shortPath = (path: string): string =>
  path.length <= MAX_PATH ? path : `${cut(path, MAX_PATH / 2)}${path.slice(-MAX_PATH / 2)}`;

/** A path into arguments as people write it: `where[0].column`. */
export function formatPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return "(arguments)";
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
}
