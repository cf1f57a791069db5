import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { type Check, compileSchema } from "./compile-schema.ts";
import { messageOf } from "../errors.ts";
import { RAW_VENDOR } from "./input-schema.ts";
import { isRecord } from "./json-schema.ts";
import { notConvertible } from "./not-convertible.ts";
import { type PreparedSchema, prepareSchema } from "./prepare-schema.ts";

/** What {@link jsonSchema} makes: a Standard Schema that also describes itself. */
export type RawSchema<T> = StandardSchemaV1<T> & StandardJSONSchemaV1<T>;

/**
 * A tool's input from raw JSON Schema, as MCP servers and files have it. `T` is what `execute` gets: nothing
 * checks that it fits the schema.
 *
 * The dialect is what `$schema` names (draft-04, draft-06, draft-07, 2019-09, 2020-12); without one it is 2020-12,
 * or draft-07 where a list stands in `items` or there is an `additionalItems`. What a later dialect added counts in
 * the earlier ones too. The schema is put into the words of 2020-12 and validated by Ajv, which is loaded at the
 * first call. Its own `additionalProperties` and `unevaluatedProperties` say whether unknown keys are taken;
 * defaults are told to the model and not filled in; formats are checked.
 *
 * References stay within the schema: one that leads outside is never fetched. A `pattern` that JavaScript can't
 * compile (`(?i)…`) is told in the description and not checked. A schema that can't be used makes the tool's
 * `jsonSchema` throw a SetupError `schema_not_convertible`; this function itself never throws.
 */
export function jsonSchema<T = Record<string, unknown>>(
  schema: Readonly<Record<string, unknown>>,
): RawSchema<T> {
  let prepared: PreparedSchema | undefined;
  let check: Check | undefined;
  let compiling: Promise<Check> | undefined;

  const prepare = (): PreparedSchema => (prepared ??= prepareSchema(schema));
  const compile = async (): Promise<Check> => {
    try {
      return (check = await compileSchema(prepare().checked));
    } catch (cause) {
      throw notConvertible(messageOf(cause), [], { cause });
    }
  };
  const judge = (value: unknown, by: Check): StandardSchemaV1.Result<T> => {
    const issues = by(value);
    return issues.length === 0 ? { value: value as T } : { issues };
  };
  const describe = (): Record<string, unknown> => {
    const { shown } = prepare();
    if (isRecord(shown)) return shown;
    throw notConvertible(`the schema is ${String(shown)}; it must be an object`);
  };
  return {
    "~standard": {
      version: 1,
      vendor: RAW_VENDOR,
      validate: (value) =>
        check === undefined
          ? (compiling ??= compile()).then((compiled) => judge(value, compiled))
          : judge(value, check),
      jsonSchema: { input: describe, output: describe },
    },
  };
}
