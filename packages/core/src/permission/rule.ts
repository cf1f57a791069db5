import { homedir } from "node:os";
import { SetupError } from "../errors.ts";
import { CATEGORIES } from "../tool.ts";
import {
  compilePath,
  compileSegment,
  literalSegments,
  type PathPattern,
  PatternError,
  type SegmentPattern,
} from "./glob.ts";
import { PERMISSION_LEVELS } from "./level.ts";

/** A pattern of a command: words, of which a lone `*` stands for any number. */
export type WordPattern = SegmentPattern | "*";

/**
 * A call or effect rule's pattern, compiled for every kind of effect that it may meet; what the text cannot mean
 * is absent and matches nothing.
 */
export interface EffectPattern {
  readonly path?: PathPattern;
  readonly words?: readonly WordPattern[];
  readonly host?: SegmentPattern;
}

export type EffectRuleKind = "read" | "write" | "exec" | "net";

/** Built-in sets of commands, to be named as they are. */
export type RuleSet = "shell:read-only";

/** One parsed rule; `source` is its text in the config. */
export type Rule =
  | { kind: "set"; source: string; set: RuleSet }
  | { kind: "tool"; source: string; name: SegmentPattern }
  | { kind: "call"; source: string; name: SegmentPattern; pattern: EffectPattern }
  | { kind: "effect"; source: string; effect: EffectRuleKind; pattern: EffectPattern }
  | { kind: "group"; source: string; group: "level" | "category" | "plugin" | "mcp"; value: SegmentPattern };

const EFFECT_RULE = /^(read|write|exec|net):/;
const GROUP_RULE = /^(level|category|plugin|mcp):/;
const NAME_RULE = /^[A-Za-z0-9_*?[\]{},!.-]+$/;

/**
 * Parses a rule of `permissions.allow`, `ask` or `deny`; relative paths in it start at `root`.
 * Throws a SetupError `invalid_rule` with the column of the fault.
 */
export function parseRule(source: string, root: string): Rule {
  const at = (column: number, problem: string): never => {
    throw new SetupError("invalid_rule", `rule ${JSON.stringify(source)}, column ${column + 1}: ${problem}`);
  };
  if (typeof source !== "string")
    throw new SetupError("invalid_rule", `a rule is a string, not ${typeof source}`);
  if (source.trim() !== source || source === "") at(0, "a rule is not empty and has no space around it");
  const compiled = <T>(offset: number, compile: () => T): T => {
    try {
      return compile();
    } catch (error) {
      if (error instanceof PatternError) return at(offset + error.at, error.message);
      throw error;
    }
  };

  if (source === "shell:read-only") return { kind: "set", source, set: source };
  const effect = EFFECT_RULE.exec(source);
  if (effect !== null) {
    const offset = effect[0].length;
    if (source.length === offset) at(offset, `what may be ${effect[1]}? A pattern is missing`);
    const kind = effect[1] as EffectRuleKind;
    const pattern = compiled(offset, () => effectPattern(kind, source.slice(offset), root));
    return { kind: "effect", source, effect: kind, pattern };
  }

  const group = GROUP_RULE.exec(source);
  if (group !== null) {
    const offset = group[0].length;
    const value = source.slice(offset);
    if (value === "") at(offset, "a name is missing");
    if (group[1] === "level" && !PERMISSION_LEVELS.some((level) => level === value)) {
      at(offset, `a level is one of ${PERMISSION_LEVELS.join(", ")}`);
    }
    if (group[1] === "category" && !CATEGORIES.some((category) => category === value)) {
      at(offset, `a category is one of ${CATEGORIES.join(", ")}`);
    }
    const name = group[1] as "level" | "category" | "plugin" | "mcp";
    return { kind: "group", source, group: name, value: compiled(offset, () => compileSegment(value)) };
  }

  const open = source.indexOf("(");
  const nameText = open === -1 ? source : source.slice(0, open);
  if (nameText === "") at(0, "the name of a tool is missing");
  if (!NAME_RULE.test(nameText)) {
    const column = [...nameText].findIndex((character) => !NAME_RULE.test(character));
    at(
      column,
      nameText.includes(":")
        ? "an unknown prefix; known are read:, write:, exec:, net:, level:, category:, plugin:, mcp:, shell:read-only"
        : "a tool's name has no such character",
    );
  }
  const name = compiled(0, () => compileSegment(nameText));
  if (open === -1) return { kind: "tool", source, name };
  if (!source.endsWith(")")) at(source.length, "the ( is not closed");
  const inner = source.slice(open + 1, -1);
  if (inner.trim() === "") at(open + 1, "the pattern is empty; leave the () out to mean every call");
  return { kind: "call", source, name, pattern: compiled(open + 1, () => callPattern(inner, root)) };
}

/** The pattern of a rule `kind:text`. Throws a PatternError. */
function effectPattern(kind: EffectRuleKind, text: string, root: string): EffectPattern {
  if (kind === "exec") return { words: wordPattern(text) };
  if (kind === "net") return { host: compileSegment(text.toLowerCase()) };
  return { path: pathPattern(text, root) };
}

/** The pattern of a rule `tool(text)`, in every meaning that it can have. Throws a PatternError where it has none. */
function callPattern(text: string, root: string): EffectPattern {
  let fault: PatternError | undefined;
  let pattern: EffectPattern = {};
  for (const kind of ["read", "exec", "net"] as const) {
    try {
      pattern = { ...pattern, ...effectPattern(kind, text, root) };
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      fault ??= error;
    }
  }
  if (fault !== undefined && pattern.path === undefined && pattern.words === undefined) throw fault;
  return pattern;
}

/** Whether names that differ in case alone are one file, as macOS and Windows have it by default. */
const FOLDS_CASE: boolean = process.platform === "darwin" || process.platform === "win32";

/** A path pattern in the language of rules, anchored at `root` unless it is absolute, at home or of any depth. */
export function pathPattern(text: string, root: string, ignoreCase: boolean = FOLDS_CASE): PathPattern {
  if (text.startsWith("/")) return compilePath(text, { ignoreCase });
  if (text === "~" || text.startsWith("~/")) {
    return compilePath(text, { base: literalSegments(homedir()), from: 1, ignoreCase });
  }
  const anyDepth = !text.replace(/\/$/, "").includes("/") && text !== "." && text !== "..";
  return compilePath(text, { base: anyDepth ? ["**"] : literalSegments(root), ignoreCase });
}

const wordPattern = (text: string): WordPattern[] =>
  splitWords(text).map((word) => (word === "*" ? "*" : compileSegment(unquote(word))));

/** Splits at white space outside quotes. */
function splitWords(text: string): string[] {
  return text.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|["'\\])+/gs) ?? [];
}

/** Quoted parts are literal: their wildcards are escaped. */
function unquote(word: string): string {
  return word.replaceAll(
    /"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
    (_, double: string | undefined, single: string | undefined) =>
      (double?.replaceAll(/\\(.)/gs, "$1") ?? single ?? "").replaceAll(/[\\*?[\]{},]/g, String.raw`\$&`),
  );
}
