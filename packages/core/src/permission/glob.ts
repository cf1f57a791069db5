/**
 * The pattern language of rules. Within one segment (a path part, a word, a name): `*` any characters, `?` one
 * character, `[a-z]` and `[!a-z]` sets, `{a,b}` alternatives, `\x` the character x. Between path segments `**`
 * stands for any number of segments, none included.
 */
export interface PathPattern {
  readonly segments: readonly Segment[];
  /** The leading segments without a wildcard, joined: the place that the pattern names. */
  readonly place: string;
}

type Segment = "**" | SegmentPattern;

export interface SegmentPattern {
  readonly literal: string | undefined;
  test(value: string): boolean;
}

/** Thrown for a pattern that cannot be read; `at` is the offset of the fault in the pattern. */
export class PatternError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const REGEX_SPECIAL = /[\\^$.*+?()[\]{}|/-]/;
const quote = (character: string): string => (REGEX_SPECIAL.test(character) ? `\\${character}` : character);

/** Compiles one segment. Throws a PatternError. */
export function compileSegment(pattern: string, options: { ignoreCase?: boolean } = {}): SegmentPattern {
  let source = "";
  let literal = "";
  let wild = false;
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "\\") {
      if (at + 1 === pattern.length) throw new PatternError("a backslash at the end escapes nothing", at);
      at++;
      source += quote(pattern.charAt(at));
      literal += pattern.charAt(at);
    } else if (character === "*") {
      wild = true;
      while (pattern.charAt(at + 1) === "*") at++;
      source += ".*";
    } else if (character === "?") {
      wild = true;
      source += ".";
    } else if (character === "[") {
      wild = true;
      const set = readSet(pattern, at);
      source += set.source;
      at = set.end;
    } else if (character === "{") {
      wild = true;
      depth++;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth--;
      source += ")";
    } else if (character === "," && depth > 0) {
      source += "|";
    } else {
      source += quote(character);
      literal += character;
    }
  }
  if (depth > 0) throw new PatternError("a { has no }", pattern.lastIndexOf("{"));
  if (!wild && options.ignoreCase !== true) return { literal, test: (value) => value === literal };
  const regex = new RegExp(`^(?:${source})$`, options.ignoreCase === true ? "isu" : "su");
  return { literal: wild ? undefined : literal, test: (value) => regex.test(value) };
}

function readSet(pattern: string, start: number): { source: string; end: number } {
  let at = start + 1;
  let negated = false;
  if (pattern.charAt(at) === "!" || pattern.charAt(at) === "^") {
    negated = true;
    at++;
  }
  let body = "";
  for (let first = true; at < pattern.length; at++, first = false) {
    const character = pattern.charAt(at);
    if (character === "]" && !first) {
      try {
        new RegExp(`[${body}]`, "u");
      } catch {
        throw new PatternError("a [set] is out of order", start);
      }
      return { source: `[${negated ? "^" : ""}${body}]`, end: at };
    }
    const escaped = character === "\\" && at + 1 < pattern.length;
    if (escaped) at++;
    const inRange = character === "-" && !first && pattern.charAt(at + 1) !== "]";
    body += inRange ? "-" : quote(escaped ? pattern.charAt(at) : character);
  }
  throw new PatternError("a [ has no ]", start);
}

/** Backslash-escapes all that a pattern would read as a wildcard: the pattern that matches `value` alone. */
export const escapePattern = (value: string): string => value.replaceAll(/[\\*?[\]{},]/g, String.raw`\$&`);

/**
 * Compiles a pattern of absolute path segments below "/". `base` comes before it literally and is not read as a
 * pattern. A trailing `/` means the folder and all beneath it.
 */
export function compilePath(pattern: string, base: readonly string[] = []): PathPattern {
  const segments: Segment[] = base.map(literalSegment);
  let offset = 0;
  for (const part of splitPath(pattern)) {
    if (part === "**") {
      if (segments.at(-1) !== "**") segments.push("**");
    } else if (part === "..") {
      segments.pop();
    } else if (part !== "" && part !== ".") {
      segments.push(compileAt(part, offset));
    }
    offset += part.length + 1;
  }
  if (pattern.endsWith("/") && segments.at(-1) !== "**") segments.push("**");
  const wild = segments.findIndex((segment) => segment === "**" || segment.literal === undefined);
  const named = wild === -1 ? segments : segments.slice(0, wild);
  return { segments, place: `/${named.map((one) => (one === "**" ? one : (one.literal ?? ""))).join("/")}` };
}

function compileAt(part: string, offset: number): SegmentPattern {
  try {
    return compileSegment(part);
  } catch (error) {
    throw error instanceof PatternError ? new PatternError(error.message, offset + error.at) : error;
  }
}

const literalSegment = (value: string): SegmentPattern => ({
  literal: value,
  test: (other) => other === value,
});

/** Splits at slashes outside of sets and braces. */
function splitPath(pattern: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "\\") part += character + pattern.charAt(++at);
    else if (character === "/" && depth === 0) {
      parts.push(part);
      part = "";
    } else {
      if (character === "{" || character === "[") depth++;
      if ((character === "}" || character === "]") && depth > 0) depth--;
      part += character;
    }
  }
  return [...parts, part];
}

export type PathMatch = "exact" | "ancestor" | "beneath";

/**
 * How `path` (absolute segments) stands to the pattern: it matches (`exact`), a folder above it matches
 * (`ancestor`), or something beneath it could match (`beneath`). Undefined: none of these.
 */
export function matchPath(pattern: PathPattern, path: readonly string[]): PathMatch | undefined {
  const { segments } = pattern;
  let states = closure(new Set([0]), segments);
  let ancestor = false;
  for (const part of path) {
    if (states.has(segments.length)) ancestor = true;
    const next = new Set<number>();
    for (const state of states) {
      const segment = segments[state];
      if (segment === "**") next.add(state);
      else if (segment?.test(part) === true) next.add(state + 1);
    }
    states = closure(next, segments);
  }
  if (states.has(segments.length)) return "exact";
  if (ancestor) return "ancestor";
  return states.size > 0 ? "beneath" : undefined;
}

function closure(states: Set<number>, segments: readonly Segment[]): Set<number> {
  for (const state of states) if (segments[state] === "**") states.add(state + 1);
  return states;
}
