import { branchesOf, dereference, isRecord, type JsonSchema, typesOf } from "./json-schema.ts";

/**
 * Models write numbers and booleans as strings, objects as JSON texts, and null for what they leave out. This
 * table is all that is converted, and only where the schema forbids what stands there:
 *
 * | the schema wants    | the value                                     | becomes         |
 * | ------------------- | --------------------------------------------- | --------------- |
 * | number, integer     | a decimal text: "1", "1.0", " 2 ", "1e3", "-4" | the number      |
 * | boolean             | "true", "false" in any case                   | the boolean     |
 * | object, array       | a JSON text of that type                      | the parsed value |
 * | an optional property | null, where the schema forbids null           | absent          |
 *
 * The value is never mutated; unchanged parts are shared with the result.
 */
export function coerce(value: unknown, schema: JsonSchema, root: JsonSchema = schema): unknown {
  const target = dereference(schema, root);
  const branches = branchesOf(target);
  if (branches.length > 0) return coerceIntoBranch(value, branches, root);
  const types = typesOf(target);
  if (typeof value === "string" && types.length > 0 && !types.includes("string")) {
    const converted = coerceText(value, types);
    return converted === value ? value : coerce(converted, target, root);
  }
  if (Array.isArray(value) && isRecord(target.items)) {
    const items = target.items;
    return mapShared(value, (item) => coerce(item, items, root));
  }
  if (isRecord(value) && isRecord(target.properties)) return coerceProperties(value, target, root);
  return value;
}

function coerceIntoBranch(value: unknown, branches: readonly JsonSchema[], root: JsonSchema): unknown {
  const resolved = branches.map((branch) => dereference(branch, root));
  if (typeof value === "string") {
    if (resolved.some((branch) => accepts(branch, "string"))) return value;
    for (const branch of resolved) {
      const converted = coerce(value, branch, root);
      if (converted !== value) return converted;
    }
    return value;
  }
  // Only an unambiguous branch guides the inside of an object or array.
  const wanted = Array.isArray(value) ? "array" : "object";
  const fitting = resolved.filter((branch) => typesOf(branch).includes(wanted));
  return typeof value === "object" && value !== null && fitting.length === 1
    ? coerce(value, fitting[0] as JsonSchema, root)
    : value;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function coerceText(value: string, types: readonly string[]): unknown {
  const trimmed = value.trim();
  if ((types.includes("number") || types.includes("integer")) && DECIMAL.test(trimmed)) {
    const number = Number(trimmed);
    const exact = !Number.isInteger(number) || Number.isSafeInteger(number);
    if (Number.isFinite(number) && exact) return number;
  }
  if (types.includes("boolean")) {
    const lower = trimmed.toLowerCase();
    if (lower === "true" || lower === "false") return lower === "true";
  }
  const first = trimmed[0];
  if ((first === "{" && types.includes("object")) || (first === "[" && types.includes("array"))) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      return value;
    }
  }
  return value;
}

function coerceProperties(value: Record<string, unknown>, schema: JsonSchema, root: JsonSchema): unknown {
  const properties = schema.properties ?? {};
  const required = new Set(schema.required);
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isRecord(property)) continue;
    if (item === null && !required.has(key) && !accepts(dereference(property, root), "null", root)) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const converted = coerce(item, property, root);
    if (converted !== item) {
      copy ??= { ...value };
      copy[key] = converted;
    }
  }
  return copy ?? value;
}

/** Whether some value of `type` may fit; a schema that names no type is taken to accept everything. */
function accepts(schema: JsonSchema, type: string, root: JsonSchema = schema): boolean {
  const branches = branchesOf(schema);
  if (branches.length > 0) return branches.some((branch) => accepts(dereference(branch, root), type, root));
  if (schema.const !== undefined) return typeName(schema.const) === type;
  if (Array.isArray(schema.enum)) return schema.enum.some((value) => typeName(value) === type);
  const types = typesOf(schema);
  return types.length === 0 || types.includes(type);
}

const typeName = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

function mapShared(items: readonly unknown[], convert: (item: unknown) => unknown): readonly unknown[] {
  const converted = items.map(convert);
  return converted.some((item, index) => item !== items[index]) ? converted : items;
}
