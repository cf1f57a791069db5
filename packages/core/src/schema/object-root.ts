import { dereference, isRecord, type JsonSchema, typesOf } from "./json-schema.ts";
import { notConvertible } from "./not-convertible.ts";

/**
 * The same schema with `type: "object"` at its root: arguments are always an object. Throws a SetupError
 * `schema_not_convertible` where the schema takes no object.
 */
export function objectRoot(schema: JsonSchema): JsonSchema {
  if (!takesObjects(schema, schema, new Map())) {
    throw notConvertible("the input schema must be an object", [], { hint: "put the value into a property" });
  }
  if (schema.type === "object") return schema;
  const { type: _, ...rest } = schema;
  return { type: "object", ...rest };
}

/** `known` are the answers so far; a schema that leads to itself is no reason against it. */
function takesObjects(schema: unknown, root: JsonSchema, known: Map<unknown, boolean>): boolean {
  if (!isRecord(schema)) return schema !== false;
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, true);
  const result = judge(schema, (inner) => takesObjects(inner, root, known), root);
  known.set(schema, result);
  return result;
}

function judge(schema: JsonSchema, within: (inner: unknown) => boolean, root: JsonSchema): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.includes("object")) return false;
  if (schema.$ref !== undefined && !within(dereference(schema, root))) return false;
  if (schema.const !== undefined && !isRecord(schema.const)) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some(isRecord)) return false;
  const unions = [schema.anyOf, schema.oneOf].filter(Array.isArray);
  return unions.every((branches) => branches.some(within)) && (schema.allOf ?? []).every(within);
}
