import { dereference, isRecord, type JsonSchema, typesOf } from "../schema/json-schema.ts";

const MAX_DEPTH = 16;

/** Whether null is a value of the schema. */
export function takesNull(schema: JsonSchema, root: JsonSchema, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (schema.$ref !== undefined) return takesNull(dereference(schema, root), root, depth + 1);
  if (schema.const !== undefined && schema.const !== null) return false;
  if (schema.enum !== undefined && !schema.enum.includes(null)) return false;
  const types = typesOf(schema);
  if (types.length > 0) return types.includes("null");
  if (schema.const === null || schema.enum !== undefined) return true;
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  return branches.some((branch) => isRecord(branch) && takesNull(branch, root, depth + 1));
}
