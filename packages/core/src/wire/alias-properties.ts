import { isRecord, type JsonSchema } from "../schema/json-schema.ts";
import { createAliases, type NameLimits } from "./alias.ts";
import type { LostKeyword } from "./clean-schema.ts";
import { hoistReferences } from "./hoist-references.ts";

/** A schema whose own properties have names that a server takes, and the way back for values. */
export interface AliasedSchema {
  schema: JsonSchema;
  undo(value: unknown): unknown;
}

/** Keywords that name properties beside `properties` and `required`. */
const NAMING = ["dependentRequired", "dependentSchemas"];

/**
 * Gives the properties of a root other names where a server doesn't take theirs; the description tells the real
 * one. Deeper properties keep theirs. Undefined where every name fits.
 */
export function aliasProperties(
  given: JsonSchema,
  limits: NameLimits,
  lost: LostKeyword[],
): AliasedSchema | undefined {
  const aliases = createAliases(Object.keys(given.properties ?? {}), limits);
  if (Object.keys(given.properties ?? {}).every((name) => aliases.encode(name) === name)) return undefined;
  // A reference to the root would lead nested objects to the aliases.
  const schema = hoistReferences(given, { root: true });
  for (const keyword of NAMING) {
    if (schema[keyword] === undefined) continue;
    delete schema[keyword];
    lost.push({ path: "", keyword });
  }
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const alias = aliases.encode(name);
    return [alias, alias === name ? property : tellName(property, name)];
  });
  return {
    schema: {
      ...schema,
      properties: Object.fromEntries(properties),
      ...(schema.required && { required: schema.required.map((name) => aliases.encode(name)) }),
    },
    undo: (value) =>
      isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, item]) => [aliases.decode(name), item]))
        : value,
  };
}

function tellName(property: JsonSchema | boolean, name: string): JsonSchema {
  const schema = isRecord(property) ? property : property ? {} : { not: {} };
  const told = `Its name is ${JSON.stringify(name)}.`;
  return {
    ...schema,
    description: schema.description === undefined ? told : `${schema.description} ${told}`,
  };
}
