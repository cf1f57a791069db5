import { isOfType } from "../schema/is-of-type.ts";
import { dereference, isRecord, type JsonSchema } from "../schema/json-schema.ts";

/**
 * `value` without the nulls of optional properties. `wrappers` maps the schema that was put in an optional
 * property's place to the property's own schema: a null under any other schema is the model's null, and stays.
 * In a union the first branch that the value fits decides; a value that fits none comes back unchanged.
 */
export function restoreOptionals(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema,
  wrappers: ReadonlyMap<unknown, JsonSchema>,
): unknown {
  const target = dereference(schema, root);
  const inner = (item: unknown, own: unknown): unknown =>
    isRecord(own) ? restoreOptionals(item, own, root, wrappers) : item;
  if (target.anyOf !== undefined) {
    return inner(
      value,
      target.anyOf.find((branch) => isRecord(branch) && fits(value, branch, root)),
    );
  }
  if (Array.isArray(value)) return value.map((item) => inner(item, target.items));
  if (!isRecord(value) || target.properties === undefined) return value;
  const { properties } = target;
  const kept: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const optional = wrappers.get(property);
    if (optional === undefined) kept.push([name, inner(item, property)]);
    else if (item !== null) kept.push([name, inner(item, optional)]);
  }
  return Object.fromEntries(kept);
}

/** Whether a value has the shape of a strict schema: types, literals, properties and items, at any depth. */
function fits(value: unknown, schema: JsonSchema, root: JsonSchema): boolean {
  const target = dereference(schema, root);
  if (target.anyOf !== undefined)
    return target.anyOf.some((branch) => isRecord(branch) && fits(value, branch, root));
  if (target.const !== undefined && value !== target.const) return false;
  if (target.enum !== undefined && !target.enum.includes(value)) return false;
  const types = Array.isArray(target.type) ? target.type : [target.type];
  if (!types.some((type) => isOfType(value, type))) return false;
  if (Array.isArray(value)) {
    const { items } = target;
    return !isRecord(items) || value.every((item) => fits(item, items, root));
  }
  if (!isRecord(value)) return true;
  const properties = target.properties ?? {};
  return (
    (target.required ?? []).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, item]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return isRecord(property) && fits(item, property, root);
    })
  );
}
