import { compilePattern } from "./compile-pattern.ts";
import { dereference, isRecord, type JsonSchema } from "./json-schema.ts";
import type { AnySchema } from "./subschemas.ts";

const NONE: readonly AnySchema[] = [];

/** The schemas that `schema` itself has for the value of a key: declared, by pattern, or else the additional one. */
export function schemasForKey(schema: JsonSchema, key: string): readonly AnySchema[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const declared = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (patternProperties === undefined) {
    const found = declared ?? additionalProperties;
    return found === undefined ? NONE : [found];
  }
  const found: AnySchema[] = declared === undefined ? [] : [declared];
  for (const [pattern, subschema] of Object.entries(patternProperties as Record<string, unknown>)) {
    if (compilePattern(pattern)?.test(key) === true) found.push(subschema as AnySchema);
  }
  return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
}

/** The schema that `schema` itself has for an item: by place (`prefixItems`, or a list in `items`), or for the rest. */
export function schemaForItem(schema: JsonSchema, index: number): AnySchema | undefined {
  const { prefixItems, items, additionalItems } = schema;
  const tuple: unknown = Array.isArray(items) ? items : prefixItems;
  if (Array.isArray(tuple) && index < tuple.length) return tuple[index] as AnySchema;
  return Array.isArray(items) ? (additionalItems as AnySchema | undefined) : items;
}

/** A schema and all that holds with it at the same place: what its `$ref` names, the parts of its `allOf`. */
export function partsOf(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  if (schema.$ref === undefined && schema.allOf === undefined) return [schema];
  const parts = new Set<JsonSchema>();
  const add = (part: AnySchema): void => {
    if (!isRecord(part) || parts.has(part)) return;
    parts.add(part);
    if (part.$ref !== undefined) add(dereference({ $ref: part.$ref }, root));
    part.allOf?.forEach(add);
  };
  add(schema);
  return [...parts];
}
