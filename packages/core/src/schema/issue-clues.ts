import type { StandardSchemaV1 } from "@standard-schema/spec";
import { showShort } from "./show-short.ts";

type Issue = StandardSchemaV1.Issue;

/** How the messages begin that zod, Valibot and Ajv write by themselves; anything else is the author's own word. */
const STOCK =
  /^(?:invalid\b|too (?:big|small)|unrecognized|required$|expected |(?:number|string|array|date|set) must|must )/i;
const UNIONS = new Set(["invalid_union", "invalid_union_discriminator", "union"]);
const FORMATS = new Set(["invalid_format", "invalid_string"]);

/** What validators say beside the standard's `message` and `path`: zod's, ArkType's and our own of Ajv. */
export interface Clues {
  code: string;
  /** Of a union: its branches' own problems aren't told one by one. */
  isUnion: boolean;
  /** Ajv tells all that it finds, what the other branches of a union miss too. */
  tellsAll: boolean;
  /** The keys that a closed object doesn't know. */
  keys: readonly string[];
  expected: string | undefined;
  actual: string | undefined;
  format: string | undefined;
}

export function cluesOf(issue: Issue): Clues {
  const read = (name: string): unknown => Reflect.get(issue, name);
  const text = (name: string): string | undefined => {
    const value = read(name);
    return typeof value === "string" ? value : undefined;
  };
  const keys = read("keys");
  const code = text("code") ?? "";
  return {
    code,
    isUnion: UNIONS.has(code),
    tellsAll: text("keyword") !== undefined,
    keys: code === "unrecognized_keys" && Array.isArray(keys) ? keys.map(String) : [],
    expected: text("expected"),
    actual: text("actual"),
    format: text("format") ?? text("validation"),
  };
}

/** Whether a message was written by the schema's author, and not by the library. */
export function isOwnWord({ message }: Issue, { code, expected, actual }: Clues): boolean {
  if (expected !== undefined && actual !== undefined) return false;
  return code === "custom" || !STOCK.test(message);
}

/** A library's message in our form, for what the JSON Schema doesn't tell. */
export function tidyMessage({ message }: Issue, clues: Clues, value: unknown): string {
  const { code, expected, actual, format, isUnion } = clues;
  if (expected !== undefined && actual !== undefined) {
    return actual === "" ? `expected ${expected}` : `expected ${expected}, received ${actual}`;
  }
  if (FORMATS.has(code) && format !== undefined && format !== "regex") {
    return `expected a string (${format}), received ${showShort(value)}`;
  }
  if (isUnion) return "expected exactly one of the forms that the schema allows";
  if (message === "Required") return "expected a value, but it is missing";
  return message
    .replace(/^invalid input: /i, "")
    .replace(/^must NOT have more than /, "expected at most ")
    .replace(/^must NOT have fewer than /, "expected at least ")
    .replace(/^must /, "expected it to ");
}
