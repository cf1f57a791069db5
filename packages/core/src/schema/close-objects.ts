import { dereference, isRecord, type JsonSchema } from "./json-schema.ts";
import { mergeIntersection } from "./merge-intersection.ts";
import { mapSubschemas } from "./subschemas.ts";

/**
 * A plain `z.object` drops unknown keys in silence; for a model's arguments it is closed instead. zod writes
 * `additionalProperties` only for loose and strict objects, so its absence marks a plain one. An intersection of
 * plain objects becomes one object that takes the keys of all; one with a record or a loose object in it stays as
 * it is, since each part would refuse the other's keys.
 */
export function closeObjects(root: JsonSchema): JsonSchema {
  const close = (schema: JsonSchema): JsonSchema => {
    if (schema.allOf === undefined) return closeOne(schema, close);
    const merged = mergeIntersection(schema, root);
    return merged === undefined ? closeParts(schema, 0) : closeOne(merged, close);
  };
  /** Closes what stands below the parts of an intersection, and not the parts. */
  const closeParts = (given: JsonSchema, depth: number): JsonSchema => {
    const schema = depth < MAX_DEPTH ? dereference(given, root) : given;
    const { [OPEN]: _, ...part } = mapSubschemas(schema, (subschema, keyword) =>
      PARTS.has(keyword) ? closeParts(subschema, depth + 1) : close(subschema),
    );
    return part;
  };
  return close(root);
}

const PARTS = new Set(["allOf", "anyOf", "oneOf"]);
const MAX_DEPTH = 32;

function closeOne(schema: JsonSchema, close: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const closed = mapSubschemas(schema, close);
  delete closed[OPEN];
  if (isRecord(schema.properties) && schema.additionalProperties === undefined) {
    closed.additionalProperties = false;
  }
  return closed;
}

const OPEN = "x-toycoder-open";

/**
 * For zod's `override`: marks the objects that take other keys. zod ≥ 4.6 writes an intersection as one object and
 * loses that one of its parts was open; with a keyword that it doesn't know, it leaves the parts alone.
 */
export function markOpen({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (isRecord(jsonSchema.properties) && isRecord(jsonSchema.additionalProperties)) jsonSchema[OPEN] = true;
}
