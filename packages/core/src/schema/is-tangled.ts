import { dereference, isRecord, type JsonSchema } from "./json-schema.ts";
import { type AnySchema, mapSubschemas, subschemas } from "./subschemas.ts";

/** Schemas below this size, with every reference written out, take no validator long. */
const MAX_SIZE = 3000;

/** Whether a schema has unions, and with its references written out is endless or very large. */
export function isTangled(root: JsonSchema): boolean {
  const sizes = new Map<JsonSchema, number>();
  let hasUnion = false;
  const sizeOf = (schema: AnySchema): number => {
    if (!isRecord(schema)) return 1;
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    // Met again while it is measured: it contains itself.
    sizes.set(schema, Number.POSITIVE_INFINITY);
    hasUnion ||= schema.anyOf !== undefined || schema.oneOf !== undefined;
    let size = schema.$ref === undefined ? 1 : 1 + sizeOf(dereference({ $ref: schema.$ref }, root));
    for (const [[keyword], subschema] of subschemas(schema)) {
      if (keyword !== "$defs" && keyword !== "definitions") size += sizeOf(subschema);
    }
    sizes.set(schema, size);
    return size;
  };
  return sizeOf(root) > MAX_SIZE && hasUnion;
}

/** The same schema with the properties that tell a union's branches apart before the others. */
export function tagsFirst(schema: JsonSchema): JsonSchema {
  const sorted = mapSubschemas(schema, tagsFirst);
  if (isRecord(sorted.properties)) {
    sorted.properties = Object.fromEntries(
      Object.entries(sorted.properties).toSorted(([, a], [, b]) => rank(a) - rank(b)),
    );
  }
  return sorted;
}

const rank = (schema: unknown): number =>
  isRecord(schema) && (schema.const !== undefined || schema.enum !== undefined) ? 0 : 1;
