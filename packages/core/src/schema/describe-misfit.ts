import { nearest } from "../nearest.ts";
import { expected } from "./expected.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Misfit } from "./judge.ts";
import { cut, orList, showShort } from "./show-short.ts";

/** A misfit in words: `expected an integer, received 1.5`. */
export function describeMisfit({ keyword, schema, value, path }: Misfit, root: JsonSchema): string {
  const count = (what: string, have: number): string => `expected ${what}, received ${have}`;
  const bound = String(schema[keyword]);
  const size = typeof value === "string" ? value.length : Array.isArray(value) ? value.length : 0;
  const keys = (): number => (typeof value === "object" && value !== null ? Object.keys(value).length : 0);
  switch (keyword) {
    case "required":
      return `expected ${expected(schema, root)}, but it is missing`;
    case "additionalProperties":
      return unknownKey(String(path.at(-1)), Object.keys(schema.properties ?? {}));
    case "false":
      return "expected nothing here";
    case "minimum":
      return `expected at least ${bound}, received ${showShort(value)}`;
    case "maximum":
      return `expected at most ${bound}, received ${showShort(value)}`;
    case "exclusiveMinimum":
      return `expected more than ${bound}, received ${showShort(value)}`;
    case "exclusiveMaximum":
      return `expected less than ${bound}, received ${showShort(value)}`;
    case "multipleOf":
      return `expected a multiple of ${bound}, received ${showShort(value)}`;
    case "minLength":
      return count(`at least ${bound} character${plural(bound)}`, size);
    case "maxLength":
      return count(`at most ${bound} character${plural(bound)}`, size);
    case "minItems":
      return count(`at least ${bound} item${plural(bound)}`, size);
    case "maxItems":
      return count(`at most ${bound} item${plural(bound)}`, size);
    case "minProperties":
      return count(`at least ${bound} key${plural(bound)}`, keys());
    case "maxProperties":
      return count(`at most ${bound} key${plural(bound)}`, keys());
    case "uniqueItems":
      return "expected no item twice";
    case "pattern":
      return typeof schema.format === "string"
        ? `expected a string (${schema.format}), received ${showShort(value)}`
        : `expected a string that matches ${cut(bound, 80)}, received ${showShort(value)}`;
    default:
      return `expected ${expected(schema, root)}, received ${showShort(value)}`;
  }
}

const plural = (count: string): string => (count === "1" ? "" : "s");

/** The refusal of a key that a closed object doesn't know. */
export function unknownKey(key: string, known: readonly string[]): string {
  const [near] = nearest(key, known, 1);
  if (near !== undefined) return `unknown key; did you mean ${JSON.stringify(near)}?`;
  return known.length === 0 ? "unknown key; none are taken" : `unknown key; known are ${orList(known, 12)}`;
}
