import { dereference, isRecord, type JsonSchema, typesOf } from "../schema/json-schema.ts";

type Branch = JsonSchema | boolean;

/** Whether no value can fit two of the branches, as far as types, literals and required properties tell. */
export const areExclusive = (branches: readonly Branch[], root: JsonSchema): boolean =>
  everyPair(branches, root, (a, b) => excludes(a, b, root));

/**
 * Whether OpenAI can't tell the branches apart at their first key ("Objects provided via 'anyOf' must not share
 * identical first keys. Consider adding a discriminator key or rearranging the properties").
 */
export const beginAlike = (branches: readonly Branch[], root: JsonSchema): boolean =>
  !everyPair(branches, root, (a, b) => {
    const [first] = Object.keys(a.properties ?? {});
    if (first === undefined || first !== Object.keys(b.properties ?? {})[0]) return true;
    return haveOtherValues(a.properties?.[first], b.properties?.[first], root);
  });

function everyPair(
  branches: readonly Branch[],
  root: JsonSchema,
  holds: (a: JsonSchema, b: JsonSchema) => boolean,
): boolean {
  const targets = branches.map((branch) => (isRecord(branch) ? dereference(branch, root) : {}));
  return targets.every((a, index) => targets.slice(index + 1).every((b) => holds(a, b)));
}

function excludes(a: JsonSchema, b: JsonSchema, root: JsonSchema): boolean {
  if (haveOtherValues(a, b, root) || haveOtherTypes(a, b)) return true;
  const required = new Set(b.required);
  const shared = (a.required ?? []).filter((name) => required.has(name));
  if (shared.some((name) => haveOtherValues(a.properties?.[name], b.properties?.[name], root))) return true;
  return lacks(a, b.required) || lacks(b, a.required);
}

/** Whether a closed object can't have one of these properties. */
const lacks = (schema: JsonSchema, required: readonly string[] = []): boolean =>
  schema.additionalProperties === false &&
  schema.patternProperties === undefined &&
  required.some((name) => !Object.hasOwn(schema.properties ?? {}, name));

function haveOtherTypes(a: JsonSchema, b: JsonSchema): boolean {
  const [first, second] = [typesOf(a), typesOf(b)];
  const numbers = (types: readonly string[]): boolean =>
    types.includes("number") || types.includes("integer");
  return (
    first.length > 0 &&
    second.length > 0 &&
    !first.some((type) => second.includes(type)) &&
    !(numbers(first) && numbers(second))
  );
}

function haveOtherValues(a: Branch | undefined, b: Branch | undefined, root: JsonSchema): boolean {
  const [first, second] = [literalsOf(a, root), literalsOf(b, root)];
  return first !== undefined && second !== undefined && !first.some((value) => second.includes(value));
}

/** The plain values of a `const` or `enum`; undefined where there is none of either. */
function literalsOf(schema: Branch | undefined, root: JsonSchema): readonly unknown[] | undefined {
  if (!isRecord(schema)) return undefined;
  const target = dereference(schema, root);
  const values = target.const === undefined ? target.enum : [target.const];
  return values?.some((value) => typeof value === "object" && value !== null) === true ? undefined : values;
}
