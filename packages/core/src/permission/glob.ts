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

export type Segment = "**" | SegmentPattern;

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

const SPECIAL = /[\\^$.*+?()[\]{}|/]/;
const quote = (character: string): string => (SPECIAL.test(character) ? `\\${character}` : character);
const quoteInSet = (character: string): string => (character === "-" ? "\\-" : quote(character));

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
    body += inRange ? "-" : quoteInSet(escaped ? pattern.charAt(at) : character);
  }
  throw new PatternError("a [ has no ]", start);
}

/** Backslash-escapes all that a pattern would read as a wildcard: the pattern that matches `value` alone. */
export const escapePattern = (value: string): string => value.replaceAll(/[\\*?[\]{},]/g, String.raw`\$&`);

/**
 * Compiles a pattern of absolute path segments below "/", read from `from` on. `base` comes before it. A trailing
 * `/` means the folder and all beneath it. Throws a PatternError.
 */
export function compilePath(
  pattern: string,
  {
    base = [],
    from = 0,
    ignoreCase = false,
  }: { base?: readonly Segment[]; from?: number; ignoreCase?: boolean } = {},
): PathPattern {
  const segments: Segment[] = [...base];
  let offset = from;
  for (const part of splitPath(pattern.slice(from))) {
    if (part === "**") {
      if (segments.at(-1) !== "**") segments.push("**");
    } else if (part === "..") {
      segments.pop();
    } else if (part !== "" && part !== ".") {
      segments.push(compileAt(part, offset, ignoreCase));
    }
    offset += part.length + 1;
  }
  if (pattern.endsWith("/") && segments.at(-1) !== "**") segments.push("**");
  const wild = segments.findIndex((segment) => segment === "**" || segment.literal === undefined);
  const named = wild === -1 ? segments : segments.slice(0, wild);
  return { segments, place: `/${named.map((one) => (one === "**" ? one : (one.literal ?? ""))).join("/")}` };
}

/** The segments of an absolute folder, none of them read as a pattern. */
export const literalSegments = (folder: string): Segment[] =>
  folder
    .split("/")
    .filter((part) => part !== "")
    .map((part) => ({ literal: part, test: (other) => other === part }));

function compileAt(part: string, offset: number, ignoreCase: boolean): SegmentPattern {
  try {
    return compileSegment(part, { ignoreCase });
  } catch (error) {
    throw error instanceof PatternError ? new PatternError(error.message, offset + error.at) : error;
  }
}

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
    states = step(segments, states, part);
  }
  if (states.has(segments.length)) return "exact";
  if (ancestor) return "ancestor";
  return states.size > 0 ? "beneath" : undefined;
}

/** What a pattern makes of one folder: whether it covers the folder and so all beneath it, and how to go on. */
export interface FolderMatch {
  readonly covered: boolean;
  readonly states: ReadonlySet<number>;
}

/** The match of the folder `name` in `parent`; without a parent, of the file system's top. */
export function matchFolder(
  { segments }: PathPattern,
  parent: FolderMatch | undefined,
  name: string,
): FolderMatch {
  const states = parent === undefined ? closure(new Set([0]), segments) : step(segments, parent.states, name);
  return { covered: parent?.covered === true || states.has(segments.length), states };
}

/** Whether the pattern matches `name` in `folder`, or a folder above it: exact or ancestor, as in {@link matchPath}. */
export function matchName({ segments }: PathPattern, folder: FolderMatch, name: string): boolean {
  if (folder.covered) return true;
  for (const state of folder.states) {
    const segment = segments[state];
    if (segment === undefined) continue;
    const next = segment === "**" ? state : segment.test(name) ? state + 1 : undefined;
    if (next !== undefined && segments.slice(next).every((one) => one === "**")) return true;
  }
  return false;
}

function step(segments: readonly Segment[], states: ReadonlySet<number>, part: string): Set<number> {
  const next = new Set<number>();
  for (const state of states) {
    const segment = segments[state];
    if (segment === "**") next.add(state);
    else if (segment?.test(part) === true) next.add(state + 1);
  }
  return closure(next, segments);
}

function closure(states: Set<number>, segments: readonly Segment[]): Set<number> {
  for (const state of states) if (segments[state] === "**") states.add(state + 1);
  return states;
}
