import { compilePattern } from "./compile-pattern.ts";
import { equalJson } from "./equal-json.ts";
import { isRecord, type JsonSchema } from "./json-schema.ts";

const NONE: readonly string[] = [];

/** The keywords for bounds, lengths and patterns that a value breaks. */
export function judgeSize(value: unknown, schema: JsonSchema): readonly string[] {
  switch (typeof value) {
    case "number":
      return broken(NUMBER, value, schema);
    case "string":
      return broken(TEXT, value, schema);
    default:
      if (Array.isArray(value)) return broken(LIST, value, schema);
      return isRecord(value) ? broken(OBJECT, Object.keys(value).length, schema) : NONE;
  }
}

type Bounds<T> = readonly (readonly [keyword: string, holds: (value: T, bound: unknown) => boolean])[];

const NUMBER: Bounds<number> = [
  ["minimum", (value, bound) => value >= Number(bound)],
  ["maximum", (value, bound) => value <= Number(bound)],
  ["exclusiveMinimum", (value, bound) => value > Number(bound)],
  ["exclusiveMaximum", (value, bound) => value < Number(bound)],
  ["multipleOf", (value, bound) => isMultiple(value, Number(bound))],
];
const TEXT: Bounds<string> = [
  ["minLength", (value, bound) => value.length >= Number(bound)],
  ["maxLength", (value, bound) => value.length <= Number(bound) || [...value].length <= Number(bound)],
  ["pattern", (value, bound) => compilePattern(String(bound))?.test(value) ?? true],
];
const LIST: Bounds<readonly unknown[]> = [
  ["minItems", (value, bound) => value.length >= Number(bound)],
  ["maxItems", (value, bound) => value.length <= Number(bound)],
  ["uniqueItems", (value, bound) => bound !== true || isUnique(value)],
];
const OBJECT: Bounds<number> = [
  ["minProperties", (count, bound) => count >= Number(bound)],
  ["maxProperties", (count, bound) => count <= Number(bound)],
];

function broken<T>(bounds: Bounds<T>, value: T, schema: JsonSchema): readonly string[] {
  let found: string[] | undefined;
  for (const [keyword, holds] of bounds) {
    const bound = schema[keyword];
    if (bound !== undefined && !holds(value, bound)) (found ??= []).push(keyword);
  }
  return found ?? NONE;
}

/** 0.3 is a multiple of 0.1, whatever binary fractions say. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function isUnique(items: readonly unknown[]): boolean {
  const simple = new Set(items);
  if (simple.size < items.length) return false;
  const compound = items.filter((item) => typeof item === "object" && item !== null).slice(0, 200);
  return compound.every((item, index) => !compound.slice(0, index).some((other) => equalJson(item, other)));
}
