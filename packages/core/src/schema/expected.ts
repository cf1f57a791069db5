import { dereference, isRecord, type JsonSchema, typesOf } from "./json-schema.ts";
import { orList, showShort } from "./show-short.ts";
import type { AnySchema } from "./subschemas.ts";

const NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

/** What a schema wants, in few words: `"a" or "b"`, `an integer or null`, `an object with path, line`. */
export function expected(schema: AnySchema, root: JsonSchema): string {
  const words = [...new Set(wordsOf(schema, root, new Set()))];
  return words.length === 0 ? "another value" : orList(words, 12);
}

/** `seen` are the schemas met before: unions may share branches, and contain themselves. */
function wordsOf(given: AnySchema, root: JsonSchema, seen: Set<JsonSchema>): string[] {
  if (!isRecord(given)) return [];
  const schema: JsonSchema = dereference(given, root);
  if (seen.has(schema)) return [];
  seen.add(schema);
  if (schema.const !== undefined) return [showShort(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => showShort(value));
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return union.flatMap((branch) => wordsOf(branch, root, seen));
  const types = typesOf(schema);
  if (types.length > 0) return types.map((type) => named(type, schema, root));
  return schema.allOf?.map((part) => wordsOf(part, root, seen)).find((words) => words.length > 0) ?? [];
}

function named(type: string, schema: JsonSchema, root: JsonSchema): string {
  const name = NAMES[type] ?? type;
  if (type === "string" && typeof schema.format === "string") return `${name} (${schema.format})`;
  if (type === "array" && isRecord(schema.items)) {
    const items: JsonSchema = dereference(schema.items, root);
    return typeof items.type === "string" && items.type !== "null"
      ? `an array of ${plural(items.type)}`
      : name;
  }
  if (type === "object" && Array.isArray(schema.required) && schema.required.length > 0) {
    const keys = schema.required.slice(0, 8).join(", ");
    return `an object with ${keys}${schema.required.length > 8 ? ", …" : ""}`;
  }
  return name;
}

const plural = (type: string): string => (type === "boolean" ? "true or false" : `${type}s`);
