import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Options, ValidateFunction } from "ajv";
import { toIssue } from "./ajv-issue.ts";
import { compilePattern } from "./compile-pattern.ts";
import { isTangled, tagsFirst } from "./is-tangled.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { Judge } from "./judge.ts";
import type { AnySchema } from "./subschemas.ts";

export type Check = (value: unknown) => readonly StandardSchemaV1.Issue[];

const NONE: readonly StandardSchemaV1.Issue[] = [];

/**
 * Makes the check of a schema that `prepareSchema` prepared, with Ajv, which is loaded here. Formats are checked;
 * nothing is converted and no default filled in.
 *
 * A right value is judged by Ajv up to its first error, a wrong one a second time for all errors. Where unions lead
 * to themselves, that could take Ajv for ever; there our own judge comes first, and its word is enough.
 */
export async function compileSchema(schema: AnySchema): Promise<Check> {
  const compile = await loadAjv(schema);
  if (isRecord(schema) && isTangled(schema))
    return await checkTangled(schema, compile(tagsFirst(schema), false));
  const fits = compile(schema, false);
  let all: ValidateFunction | undefined;
  return (value) => {
    if (fits(value)) return NONE;
    all ??= compile(schema, true);
    return issuesOf(value, all);
  };
}

async function checkTangled(schema: JsonSchema, fits: ValidateFunction): Promise<Check> {
  const { describeMisfit } = await import("./describe-misfit.ts");
  return (value) => {
    const misfits = new Judge(schema).misfits(value, schema);
    return misfits.length > 0
      ? misfits.map((misfit) => ({ path: misfit.path, message: describeMisfit(misfit, schema) }))
      : issuesOf(value, fits);
  };
}

const issuesOf = (value: unknown, validate: ValidateFunction): readonly StandardSchemaV1.Issue[] =>
  // What `then` or `else` misses has an error of its own.
  validate(value) ? NONE : (validate.errors ?? []).filter(({ keyword }) => keyword !== "if").map(toIssue);

const regExp = Object.assign((pattern: string) => compilePattern(pattern) ?? /(?:)/, { code: "new RegExp" });

const OPTIONS: Options = {
  strict: false,
  validateSchema: false,
  ownProperties: true,
  logger: false,
  code: { regExp },
};

type Compile = (schema: AnySchema, allErrors: boolean) => ValidateFunction;

/** Each schema has an instance of Ajv of its own, with no more of 2020-12 turned on than it uses. */
async function loadAjv(schema: AnySchema): Promise<Compile> {
  const [{ Ajv2020 }, formats] = await Promise.all([import("ajv/dist/2020.js"), import("ajv-formats")]);
  const text = JSON.stringify(schema);
  return (it, allErrors) => {
    const ajv = new Ajv2020({
      ...OPTIONS,
      allErrors,
      meta: text.includes('"$ref":"https://json-schema.org/'),
    });
    // Where it is on, every branch of a union is judged, though the first one fits.
    if (!text.includes('"unevaluated')) ajv.opts.unevaluated = false;
    formats.default.default(ajv);
    return ajv.compile(it);
  };
}
