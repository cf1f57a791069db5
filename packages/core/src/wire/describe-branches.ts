import { branchesOf, dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";

const MAX_BRANCHES = 20;
const MAX_LENGTH = 2000;

/**
 * The branches of a union in a few words: `One of: { kind: "circle", r, name? } (A circle.); { kind: "dot" }.`
 * Undefined where there is no union, or too much to tell.
 */
export function describeBranches(schema: JsonSchema, root: JsonSchema): string | undefined {
  const branches = branchesOf(schema);
  if (branches.length < 2 || branches.length > MAX_BRANCHES) return undefined;
  const forms = branches.map((branch) => describe(dereference(branch, root), root, schema.required));
  const text = `${schema.anyOf === undefined ? "One" : "At least one"} of: ${forms.join("; ")}.`;
  return text.length > MAX_LENGTH ? undefined : text;
}

function describe(branch: JsonSchema, root: JsonSchema, always: readonly string[] = []): string {
  const required = new Set([...always, ...(branch.required ?? [])]);
  const names = new Set([...Object.keys(branch.properties ?? {}), ...(branch.required ?? [])]);
  const keys = [...names].map((name) => {
    const property = branch.properties?.[name];
    const { const: value } = isRecord(property) ? dereference(property, root) : {};
    const said = value === undefined ? "" : `: ${JSON.stringify(value)}`;
    return `${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}${required.has(name) ? "" : "?"}${said}`;
  });
  const form = keys.length === 0 ? "{}" : `{ ${keys.join(", ")} }`;
  return branch.description === undefined ? form : `${form} (${branch.description})`;
}
