import type { StandardSchemaV1 } from "@standard-schema/spec";
import { nearest } from "../nearest.ts";
import { coerce } from "./coerce.ts";
import { dereference, isRecord, type JsonSchema, type Problem } from "./json-schema.ts";

export type Validated = { ok: true; value: unknown } | { ok: false; problems: Problem[] };

/**
 * Judges a model's arguments: coerce by the table of `coerce`, refuse unknown keys where the schema is closed,
 * then the schema's own validation. All problems are reported at once. Never mutates `value`.
 */
export function validate(
  value: Readonly<Record<string, unknown>>,
  schema: StandardSchemaV1,
  jsonSchema: JsonSchema,
): Validated | Promise<Validated> {
  const coerced = coerce(value, jsonSchema);
  const unknown: Problem[] = [];
  findUnknownKeys(coerced, jsonSchema, jsonSchema, [], unknown);
  const result = schema["~standard"].validate(coerced);
  return result instanceof Promise
    ? result.then((done) => conclude(done, unknown))
    : conclude(result, unknown);
}

function conclude(result: StandardSchemaV1.Result<unknown>, unknown: Problem[]): Validated {
  if (result.issues === undefined && unknown.length === 0) return { ok: true, value: result.value };
  const invalid = (result.issues ?? []).map((issue) => ({
    path: (issue.path ?? []).map((step) => keyOf(typeof step === "object" ? step.key : step)),
    message: issue.message,
  }));
  return { ok: false, problems: [...invalid, ...unknown.filter((one) => !reported(one, invalid))] };
}

const keyOf = (key: PropertyKey): string | number => (typeof key === "number" ? key : String(key));

/** A strict schema reports unknown keys itself, at the object that holds them. */
function reported(problem: Problem, others: readonly Problem[]): boolean {
  const parent = JSON.stringify(problem.path.slice(0, -1));
  const key = String(problem.path.at(-1));
  return others.some((other) => JSON.stringify(other.path) === parent && other.message.includes(`"${key}"`));
}

function findUnknownKeys(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema,
  path: readonly (string | number)[],
  found: Problem[],
): void {
  const target = dereference(schema, root);
  if (Array.isArray(value)) {
    const { items } = target;
    if (isRecord(items))
      value.forEach((item, index) => findUnknownKeys(item, items, root, [...path, index], found));
    return;
  }
  if (!isRecord(value) || !isRecord(target.properties)) return;
  const { properties } = target;
  for (const [key, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (isRecord(property)) findUnknownKeys(item, property, root, [...path, key], found);
    else if (property === undefined && target.additionalProperties === false) {
      found.push({ path: [...path, key], message: unknownKey(key, Object.keys(properties)) });
    }
  }
}

function unknownKey(key: string, known: readonly string[]): string {
  const [near] = nearest(key, known, 1);
  if (near !== undefined) return `unknown key; did you mean "${near}"?`;
  return known.length === 0 ? "unknown key; none are taken" : `unknown key; known are ${known.join(", ")}`;
}

/** One line a problem: `path.to[0].key: message`. At most `limit` lines, the rest counted. */
export function describeProblems(problems: readonly Problem[], limit = 10): string {
  const lines = problems.slice(0, limit).map(({ path, message }) => `${formatPath(path)}: ${message}`);
  if (problems.length > limit) lines.push(`… and ${problems.length - limit} more`);
  return lines.join("\n");
}

export function formatPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return "(arguments)";
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
}
