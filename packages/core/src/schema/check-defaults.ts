import { isRecord, type JsonSchema } from "./json-schema.ts";
import { Judge } from "./judge.ts";
import { notConvertible } from "./not-convertible.ts";
import { subschemas } from "./subschemas.ts";

/**
 * Gives `root` back. zod writes null for a default that JSON can't say (NaN, an infinity), and a model would be
 * told that null is meant: throws a SetupError `schema_not_convertible` where a null default is no value of its
 * schema.
 */
export function checkDefaults(root: JsonSchema): JsonSchema {
  const judge = new Judge(root);
  const walk = (schema: JsonSchema, at: readonly string[]): void => {
    if (schema.default === null && judge.misfits(null, schema).length > 0) {
      throw notConvertible("its default is nothing that JSON can say", at);
    }
    for (const [steps, subschema] of subschemas(schema)) {
      if (isRecord(subschema)) walk(subschema, [...at, ...steps]);
    }
  };
  walk(root, []);
  return root;
}
