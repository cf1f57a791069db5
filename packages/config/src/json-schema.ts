import type { Shape } from "./shape.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft-07, which editors know best) of what a shape takes of JSON. It takes and refuses what
 * {@link checkShape} does, but for the grammar of rules and path patterns, which no schema can say. An object that
 * whose keys are
 * in `named` becomes a definition of that name, beside the `given` ones: one that holds itself must.
 */
export function jsonSchemaOf(
  shape: Shape,
  title: string,
  named: ReadonlyMap<object, string>,
  given: Readonly<Record<string, Schema>>,
): Schema {
  const definitions: Record<string, Schema> = { ...given };
  const open = new Set<string>();

  function schemaOf(one: Shape): Schema {
    const { about } = one;
    const schema = bare(one);
    return about === undefined ? schema : { description: about, ...schema };
  }

  function bare(one: Shape): Schema {
    switch (one.kind) {
      case "text":
        return one.pattern === undefined ? { type: "string" } : { type: "string", pattern: one.pattern };
      case "number":
        return { type: one.whole === true ? "integer" : "number", minimum: one.min };
      case "flag":
        return { type: "boolean" };
      case "choice":
        return { enum: one.of };
      case "list":
        return { type: "array", items: schemaOf(one.of) };
      case "tuple":
        return {
          type: "array",
          items: one.of.map(schemaOf),
          minItems: one.of.length,
          maxItems: one.of.length,
        };
      case "map":
        return { type: "object", additionalProperties: schemaOf(one.of) };
      case "either":
        return { anyOf: one.of.map(schemaOf) };
      case "object":
        return objectSchema(one);
      case "custom":
        return one.schema;
      case "anything":
        return {};
      default:
        // Neither a function nor a refused key can stand in JSON.
        return { not: {} };
    }
  }

  function objectSchema(one: Extract<Shape, { kind: "object" }>): Schema {
    const name = named.get(one.keys);
    if (name === undefined) return propertiesOf(one);
    if (!open.has(name)) {
      open.add(name);
      definitions[name] = propertiesOf(one);
    }
    return { $ref: `#/definitions/${name}` };
  }

  function propertiesOf({ keys, required = [] }: Extract<Shape, { kind: "object" }>): Schema {
    return {
      type: "object",
      properties: Object.fromEntries(Object.entries(keys).map(([key, of]) => [key, schemaOf(of)])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  const root = schemaOf(shape);
  return { $schema: "http://json-schema.org/draft-07/schema#", title, ...root, definitions };
}
