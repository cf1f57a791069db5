import { dereference, isRecord, type JsonSchema } from "./json-schema.ts";
import type { AnySchema } from "./subschemas.ts";

/** The property that tells a union's branches apart, and the branch of each of its values. */
export interface Tag {
  key: string;
  branches: ReadonlyMap<unknown, JsonSchema>;
}

/** The tag of a union of objects: a property that is a literal in every branch, another one in each. */
export function tagOf(branches: readonly AnySchema[], root: JsonSchema): Tag | undefined {
  const [first, ...others] = branches.map((branch) =>
    isRecord(branch) ? dereference(branch, root) : undefined,
  );
  if (first === undefined || !isRecord(first.properties) || others.length === 0) return undefined;
  for (const key of Object.keys(first.properties)) {
    const values = new Map<unknown, JsonSchema>();
    if ([first, ...others].every((branch) => addLiterals(branch, key, root, values)))
      return { key, branches: values };
  }
  return undefined;
}

function addLiterals(
  branch: JsonSchema | undefined,
  key: string,
  root: JsonSchema,
  values: Map<unknown, JsonSchema>,
): boolean {
  if (branch === undefined || !isRecord(branch.properties) || !Object.hasOwn(branch.properties, key))
    return false;
  const property = branch.properties[key];
  if (!isRecord(property)) return false;
  const literal = dereference(property, root);
  const literals = literal.const === undefined ? literal.enum : [literal.const];
  if (!Array.isArray(literals) || literals.length === 0) return false;
  for (const value of literals) {
    if (values.has(value) || (typeof value === "object" && value !== null)) return false;
    values.set(value, branch);
  }
  return true;
}
