import { wholeCharacters } from "@toycoder/core";
import { textTokens } from "./token-estimate.ts";

/** The beginning of a text that is longer than `limit` characters, with a mark that says so. */
export function clip(value: string, limit: number): string {
  if (value.length <= limit) return value;
  return `${value.slice(0, wholeCharacters(value, limit))} [… ${value.length - limit} more characters]`;
}

/** The beginning of a text that takes more than `limit` tokens. */
export function clipTokens(value: string, limit: number): string {
  const tokens = textTokens(value);
  return tokens <= limit ? value : clip(value, Math.floor((value.length * limit) / tokens));
}
