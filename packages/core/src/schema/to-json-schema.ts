import { isSetupError, messageOf, SetupError } from "../errors.ts";
import { checkDefaults } from "./check-defaults.ts";
import { closeObjects, markOpen } from "./close-objects.ts";
import type { InputSchema } from "./input-schema.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";
import { NOT_CONVERTIBLE, notConvertible } from "./not-convertible.ts";
import { objectRoot } from "./object-root.ts";
import { plainJson } from "./plain-json.ts";
import { prepareSchema } from "./prepare-schema.ts";
import { convertZodThree, isZodThree } from "./zod-three.ts";

export type { InputSchema } from "./input-schema.ts";

/**
 * The JSON Schema (2020-12) of what a model may send for `schema`, made by the schema's own converter: a plugin
 * brings its own copy of zod, and only that copy knows its descriptions. zod 3 has none; it is converted here.
 *
 * Plain objects of zod are closed at every depth, those in unions and intersections included; loose and strict
 * ones, records and catchalls stay what they say. Every other schema is taken at its word: ArkType's plain objects
 * are open (its `"+": "reject"` closes them), raw JSON Schemas follow their own `additionalProperties`.
 *
 * Throws a SetupError `schema_not_convertible` that names `owner`, whatever goes wrong.
 */
export function toJsonSchema(schema: InputSchema, owner: string): JsonSchema {
  return named(owner, () => objectRoot(convert(schema)));
}

/** The same for a schema of any value, an array or a text, too. */
export function describeSchema(schema: InputSchema, owner: string): JsonSchema {
  return named(owner, () => convert(schema));
}

function named(owner: string, describe: () => JsonSchema): JsonSchema {
  try {
    return describe();
  } catch (error) {
    const { hint } = isSetupError(error) ? error : { hint: undefined };
    const reason = error instanceof RangeError ? "the input schema is nested too deep" : messageOf(error);
    throw new SetupError(NOT_CONVERTIBLE, `${owner}: ${reason}`, {
      cause: error,
      ...(hint !== undefined && { hint }),
    });
  }
}

function convert(schema: InputSchema): JsonSchema {
  const isObject = (typeof schema === "object" && schema !== null) || typeof schema === "function";
  const standard: unknown = isObject ? schema["~standard"] : undefined;
  const { vendor, jsonSchema } = isRecord(standard) ? standard : {};
  const input = isRecord(jsonSchema) ? jsonSchema.input : undefined;
  if (typeof input === "function") {
    const isZod = vendor === "zod";
    const options = { target: "draft-2020-12", ...(isZod && { libraryOptions: { override: markOpen } }) };
    const converted = record(plainJson(Reflect.apply(input, jsonSchema, [options])));
    delete converted.$schema;
    return isZod ? checkDefaults(closeObjects(converted)) : converted;
  }
  if (isObject && isRecord(standard) && isZodThree(schema)) {
    return checkDefaults(closeObjects(record(prepareSchema(convertZodThree(schema)).shown)));
  }
  throw notConvertible("the input schema cannot describe itself as JSON Schema", [], {
    hint: "use a zod object (4.2 or later, or 3.24 or later of zod 3), another Standard JSON Schema, or jsonSchema({...})",
  });
}

function record(converted: unknown): JsonSchema {
  if (isRecord(converted)) return converted;
  throw notConvertible("the input schema must be an object");
}
