import { isRecord, type JsonSchema, typesOf } from "./json-schema.ts";
import { isTooDeep } from "./too-deep.ts";

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * What a text stands for where `schema` itself (by its `type`, `const` or `enum`) takes no such text: a number, a
 * boolean, an object or an array. The text itself where it stands for nothing that is wanted.
 */
export function coerceText(text: string, schema: JsonSchema): unknown {
  const literals = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(literals)) return coerceToLiteral(text, literals);
  const types = typesOf(schema);
  return types.length === 0 || types.includes("string") ? text : convert(text, types);
}

function coerceToLiteral(text: string, literals: readonly unknown[]): unknown {
  if (literals.includes(text)) return text;
  const types = new Set(literals.map((literal) => typeof literal));
  for (const type of types) {
    const converted = type === "string" ? text : convert(text, [type]);
    if (literals.includes(converted)) return converted;
  }
  return types.has("string") ? text : convert(text, [...types]);
}

function convert(text: string, types: readonly string[]): unknown {
  const trimmed = text.trim();
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
  if (first === "{" && types.includes("object")) return parse(trimmed, text, isRecord);
  if (first === "[" && types.includes("array")) return parse(trimmed, text, Array.isArray);
  return text;
}

function parse(trimmed: string, text: string, isWanted: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(trimmed);
    return isWanted(value) && !isTooDeep(value) ? value : text;
  } catch {
    return text;
  }
}
