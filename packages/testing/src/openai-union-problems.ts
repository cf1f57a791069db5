import type { JsonSchema } from "@toycoder/core";
import { isObject, resolveReference } from "./walk-schema.ts";

/**
 * Objects of one `anyOf` that begin with the same key, unless its values tell them apart. The API's message:
 * "Objects provided via 'anyOf' must not share identical first keys. Consider adding a discriminator key".
 */
export function openAiUnionProblems(branches: readonly unknown[], root: JsonSchema): string[] {
  const objects = branches
    .filter(isObject)
    .map((branch) => (branch.$ref === undefined ? branch : (resolveReference(branch.$ref, root) ?? {})))
    .filter(({ properties }) => isObject(properties) && Object.keys(properties).length > 0);
  const seen = new Map<string, unknown[][]>();
  const problems = new Set<string>();
  for (const { properties } of objects) {
    const [[name, property] = ["", undefined]] = Object.entries(properties ?? {});
    const own = valuesOf(property);
    const others = seen.get(name) ?? [];
    if (
      others.some(
        (values) => values.length === 0 || own.length === 0 || own.some((value) => values.includes(value)),
      )
    )
      problems.add(`objects in anyOf share the first key ${JSON.stringify(name)}`);
    seen.set(name, [...others, own]);
  }
  return [...problems];
}

function valuesOf(schema: unknown): unknown[] {
  if (!isObject(schema)) return [];
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : [];
}
