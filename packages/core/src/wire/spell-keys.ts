import { isRecord, type JsonSchema } from "../schema/json-schema.ts";

const MAX_KEYS = 200;

/** A map whose keys `propertyNames` enumerates, as an object with those properties: the same, in other words. */
export function spellKeys(schema: JsonSchema): JsonSchema {
  const { propertyNames, additionalProperties = true, properties = {}, ...rest } = schema;
  const names = isRecord(propertyNames) ? enumerated(propertyNames) : undefined;
  const isPlainMap =
    schema.type === "object" &&
    Object.keys(properties).length === 0 &&
    additionalProperties !== false &&
    rest.patternProperties === undefined &&
    rest.unevaluatedProperties === undefined;
  if (names === undefined || !isPlainMap) return schema;
  const value = additionalProperties === true ? {} : additionalProperties;
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, value])),
    additionalProperties: false,
  };
}

/** The strings of a schema that says nothing but which strings it takes. */
function enumerated(schema: JsonSchema): readonly string[] | undefined {
  const { type = "string", enum: values, const: value, ...rest } = schema;
  if (type !== "string" || Object.keys(rest).length > 0) return undefined;
  const names = value === undefined ? values : [value];
  const strings = names?.filter((name) => typeof name === "string");
  return strings === undefined || strings.length !== names?.length || strings.length > MAX_KEYS
    ? undefined
    : strings;
}
