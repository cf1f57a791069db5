import { isRecord, type JsonSchema } from "../schema/json-schema.ts";

type Property = JsonSchema | boolean;
export type Properties = Record<string, Property>;

/** The properties of both, those of either name through `join`. */
export function mergeProperties(
  a: Properties,
  b: Properties,
  join: (a: Property, b: Property) => Property,
): Properties {
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? schema : join(before, schema));
  }
  return Object.fromEntries(merged);
}

/** Takes what either takes. */
export function widen(a: Property, b: Property): Property {
  if (isSame(a, b)) return a;
  if (!isRecord(a) || !isRecord(b)) return {};
  const values = [...(literals(a) ?? [undefined]), ...(literals(b) ?? [undefined])];
  if (!values.includes(undefined)) {
    const description = a.description ?? b.description;
    const type = a.type === b.type && a.type !== undefined ? { type: a.type } : {};
    return { ...type, enum: [...new Set(values)], ...(description === undefined ? {} : { description }) };
  }
  if (isLooser(a, b)) return a;
  if (isLooser(b, a)) return b;
  const known = Object.keys(a).join() === "anyOf" ? (a.anyOf ?? []) : [a];
  return { anyOf: [...known, b] };
}

/** Takes at least what both take, and exactly that where {@link isExact}; else it is what the first takes. */
export function narrow(a: Property, b: Property): Property {
  if (!isRecord(a) || !isRecord(b)) return typeof a === "boolean" && a ? b : a;
  return isExact(a, b) ? { ...b, ...a } : a;
}

/** Keywords whose meaning hangs on their neighbours. */
const BOUND = new Set([
  "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
  "unevaluatedItems", "contains", "minContains", "maxContains", "if", "then", "else",
]); // prettier-ignore
const FREE = new Set(["description", "title", "examples", "default", "deprecated", "readOnly", "writeOnly"]);

/** Whether two schemas can be written as one: no keyword means another thing in the other. */
export function isExact(a: Property, b: Property): boolean {
  if (isSame(a, b)) return true;
  if (!isRecord(a) || !isRecord(b)) return a === true || b === true;
  const keywords = [...Object.keys(a), ...Object.keys(b)];
  return (
    !keywords.some((keyword) => BOUND.has(keyword)) &&
    Object.keys(a).every(
      (keyword) => FREE.has(keyword) || !Object.hasOwn(b, keyword) || isSame(a[keyword], b[keyword]),
    )
  );
}

/** Whether `a` is `b` without some of its keywords. */
const isLooser = (a: JsonSchema, b: JsonSchema): boolean =>
  ![...Object.keys(a), ...Object.keys(b)].some((keyword) => BOUND.has(keyword)) &&
  Object.keys(a).every((keyword) => isSame(a[keyword], b[keyword]));

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The values of a `const` or an `enum` of plain values. */
const literals = (schema: JsonSchema): unknown[] | undefined =>
  schema.const === undefined ? schema.enum?.filter((value) => value !== undefined) : [schema.const];
