import { isRecord, type JsonSchema } from "./json-schema.ts";
import { notConvertible } from "./not-convertible.ts";
import { subschemas } from "./subschemas.ts";

export type Dialect = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ["json-schema.org/draft-04/schema", "draft-04"],
  ["json-schema.org/draft-06/schema", "draft-06"],
  ["json-schema.org/draft-07/schema", "draft-07"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
  ["json-schema.org/schema", "2020-12"],
]);

/**
 * The dialect that `$schema` names. Where it names none: 2020-12, which is what MCP and every current library
 * means, unless a list stands in `items` or there is an `additionalItems`, which only earlier dialects know
 * (draft-07 then). Throws a SetupError `schema_not_convertible` for any other `$schema`.
 */
export function dialectOf(schema: JsonSchema | boolean): Dialect {
  if (!isRecord(schema)) return "2020-12";
  if (schema.$schema === undefined) return usesOldTuples(schema) ? "draft-07" : "2020-12";
  const name = String(schema.$schema)
    .replace(/^https?:\/\//, "")
    .replace(/#$/, "");
  const dialect = DIALECTS.get(name);
  if (dialect !== undefined) return dialect;
  throw notConvertible(`$schema ${JSON.stringify(schema.$schema)} is no dialect that is known`, [], {
    hint: "known are draft-04, draft-06, draft-07, 2019-09 and 2020-12; without $schema it is 2020-12",
  });
}

function usesOldTuples(schema: JsonSchema): boolean {
  if (Array.isArray(schema.items) || schema.additionalItems !== undefined) return true;
  for (const [, subschema] of subschemas(schema)) {
    if (isRecord(subschema) && usesOldTuples(subschema)) return true;
  }
  return false;
}
