/** One thing that is wrong, and where: `permissions.allow[1]`. */
export interface ConfigProblem {
  place: string;
  message: string;
}

export type Report = (place: string, message: string) => void;

/**
 * What a value of a config must look like. It checks values, and is what the published JSON Schema and the table of
 * keys in docs/config.md are generated from: `about` describes the key to them.
 */
export type Shape = ShapeKind & { about?: string };

/** A `check` gives back what is wrong, in words, or undefined. */
type ShapeKind =
  /** `pattern` says what `check` finds as far as a regular expression can. */
  | { kind: "text"; check?: (value: string) => string | undefined; pattern?: string }
  | { kind: "number"; whole?: boolean; min: number }
  | { kind: "flag" }
  | { kind: "choice"; of: readonly string[] }
  | { kind: "function" }
  | { kind: "anything" }
  | { kind: "list"; of: Shape }
  | { kind: "tuple"; of: readonly Shape[]; expected: string }
  /** Any keys, all of one shape. */
  | { kind: "map"; of: Shape; checkKey?: (key: string) => string | undefined }
  | { kind: "object"; keys: Readonly<Record<string, Shape>>; required?: readonly string[] }
  /** Whichever fits the value's JavaScript type. */
  | { kind: "either"; of: readonly Shape[] }
  /** `schema` is what `check` takes of JSON, `expected` the same in words. */
  | {
      kind: "custom";
      check: (value: unknown, place: string, report: Report) => void;
      schema: Readonly<Record<string, unknown>>;
      expected: string;
    }
  /** A key that is refused: reserved for a later version, or with `why` for good. */
  | { kind: "unsupported"; why?: string };

/** `parent.key`, or `parent["a key"]` where it is no plain word. */
export function placeOf(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** The keys and indexes that a place of {@link placeOf} consists of. */
export function pathOf(place: string): (string | number)[] {
  return [...place.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([A-Za-z_$][\w$-]*)/g)].map(
    ([, index, quoted, word = ""]) =>
      index !== undefined ? Number(index) : quoted !== undefined ? (JSON.parse(quoted) as string) : word,
  );
}

/** A value in a few words, for "got …". Long texts are cut. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && typeof (value as { then?: unknown }).then === "function")
    return "a Promise";
  return (
    { undefined: "nothing", object: "an object", function: "a function" }[typeof value as string] ??
    typeof value
  );
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
