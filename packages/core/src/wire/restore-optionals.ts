import { isOfType } from "../schema/is-of-type.ts";
import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";
import { judgeSize } from "../schema/judge-size.ts";

/** What restoring needs to know of how a schema was lowered. */
export interface Lowering {
  /** The schema that was put in an optional property's place → the property's own. */
  wrappers: ReadonlyMap<unknown, JsonSchema>;
  /** A schema that lost lengths → what it was. */
  originals: ReadonlyMap<unknown, JsonSchema>;
}

/**
 * `value` without the nulls of optional properties: those under one of the wrappers. A null under any other schema
 * is the model's null, and stays.
 * In a union the first branch that the value fits decides (else the first that it fits but for bounds and
 * patterns); a value that fits none comes back unchanged.
 */
export function restoreOptionals(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema,
  lowering: Lowering,
): unknown {
  const target = dereference(schema, root);
  const inner = (item: unknown, own: unknown): unknown =>
    isRecord(own) ? restoreOptionals(item, own, root, lowering) : item;
  if (target.anyOf !== undefined) {
    const branches = target.anyOf.filter(isRecord);
    return inner(
      value,
      branches.find((branch) => fits(value, branch, root, lowering.originals)) ??
        branches.find((branch) => fits(value, branch, root)),
    );
  }
  if (Array.isArray(value)) return value.map((item) => inner(item, target.items));
  if (!isRecord(value) || target.properties === undefined) return value;
  const { properties } = target;
  const kept: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const optional = lowering.wrappers.get(property);
    if (optional === undefined) kept.push([name, inner(item, property)]);
    else if (item !== null) kept.push([name, inner(item, optional)]);
  }
  return Object.fromEntries(kept);
}

/**
 * Whether a value has the shape of a strict schema: types, literals, properties and items, at any depth; with
 * `originals`, bounds, lengths and patterns as well.
 */
function fits(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema,
  originals?: Lowering["originals"],
): boolean {
  const target = dereference(schema, root);
  if (target.anyOf !== undefined)
    return target.anyOf.some((branch) => isRecord(branch) && fits(value, branch, root, originals));
  if (target.const !== undefined && value !== target.const) return false;
  if (target.enum !== undefined && !target.enum.includes(value)) return false;
  const types = Array.isArray(target.type) ? target.type : [target.type];
  if (!types.some((type) => isOfType(value, type))) return false;
  if (originals !== undefined && judgeSize(value, originals.get(target) ?? target).length > 0) return false;
  if (Array.isArray(value)) {
    const { items } = target;
    return !isRecord(items) || value.every((item) => fits(item, items, root, originals));
  }
  if (!isRecord(value)) return true;
  const properties = target.properties ?? {};
  return (
    (target.required ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, item]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isRecord(property) && fits(item, property, root, originals);
    })
  );
}
