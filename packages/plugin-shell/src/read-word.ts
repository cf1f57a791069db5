import type { Word, WordPart } from "unbash";
import { decodeAnsiC } from "./ansi-c.ts";
import { expandBraces } from "./expand-braces.ts";
import { readExpansion } from "./read-expansion.ts";
import type { ShellState } from "./shell-state.ts";
import { literalWord, type ShellWord, STREAM, unknownWord } from "./shell-word.ts";
import { lookUp } from "./variables.ts";
import type { Walk } from "./walk.ts";

/**
 * The words that a word of a script becomes, worked out from its text beside the parser. What its substitutions
 * run is looked through. A word that is only known when it runs is one unknown word.
 */
export function readWord(word: Word, state: ShellState, walk: Walk): ShellWord[] {
  const { text } = word;
  const [, name] = /^"?\$(?:\{([A-Za-z_]\w*)\}|[A-Za-z_]\w*)"?$/.exec(text) ?? [];
  const variable = /^"?\$/.test(text) ? lookUp(name ?? text.replaceAll(/["$]/g, ""), state, walk) : undefined;
  if (variable !== undefined && variable !== "integer" && variable.glob) {
    return [{ ...literalWord(variable.text), glob: true }];
  }
  const braces = expandBraces(text);
  if (braces !== undefined) return braces.map((one) => ({ ...literalWord(one), glob: /[*?[]/.test(one) }));

  const parts = word.parts ?? [{ type: "Literal", pos: word.pos, end: word.end, text, value: text } as const];
  const [first] = parts;
  if (parts.length === 1 && first?.type === "ProcessSubstitution") {
    readExpansion(first, state, walk, false);
    return [{ ...literalWord(STREAM), stream: true }];
  }
  const value = readParts(parts, word, state, walk);
  // bash expands the tilde of `x=~/y` in some arguments.
  if (value === undefined || /^[A-Za-z_]\w*\+?=(?:.*:)?~/.test(text)) return [unknownWord(text)];
  return [{ value, glob: parts.some((part) => part.type === "Glob"), tilde: text.startsWith("~") }];
}

/** The text that parts make together. Undefined where it isn't known; all of them are looked through. */
export function readParts(
  parts: readonly WordPart[],
  within: { pos: number; end: number; text: string },
  state: ShellState,
  walk: Walk,
): string | undefined {
  let value: string | undefined = "";
  let end = within.pos;
  for (const part of parts) {
    if (part.pos !== end || part.text !== within.text.slice(part.pos - within.pos, part.end - within.pos)) {
      walk.addOpaque(within.text, "a word of the command is not understood");
    }
    end = part.end;
    const piece = readPart(part, state, walk);
    value = value === undefined || piece === undefined ? undefined : value + piece;
  }
  if (end !== within.end) walk.addOpaque(within.text, "a word of the command is not understood");
  return value;
}

function readPart(part: WordPart, state: ShellState, walk: Walk): string | undefined {
  const misread = (): undefined => {
    walk.addOpaque(part.text, "a word of the command is not understood");
    return undefined;
  };
  switch (part.type) {
    case "Literal": {
      const bare = part.text.replaceAll(/\\[^\n]/g, "");
      if (/[$`()<>|&;\s'"\\]/.test(bare)) return misread();
      if (bare.includes("{") && /,|\.\./.test(part.text)) return undefined;
      return part.text.replaceAll(/\\([^\n])/g, "$1");
    }
    case "Glob":
      return /^(?:\*|\?|\[[^$`()<>|&;\s'"\\]*\])$/.test(part.text) ? part.text : generic(part, state, walk);
    case "SingleQuoted":
      return /^'[^']*'$/.test(part.text) ? part.text.slice(1, -1) : misread();
    case "AnsiCQuoted":
      return decodeAnsiC(part.text) ?? undefined;
    case "DoubleQuoted":
      return readQuoted(part.parts, part, state, walk);
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return readExpansion(part, state, walk, false);
    default:
      return generic(part, state, walk);
  }
}

/** Text in double quotes or in a here-document: expansions between literal text. */
function readQuoted(
  parts: readonly WordPart[],
  within: { pos: number; end: number; text: string },
  state: ShellState,
  walk: Walk,
): string | undefined {
  if (!/^"[^]*"$/.test(within.text)) {
    walk.addOpaque(within.text, "a word of the command is not understood");
    return undefined;
  }
  return readQuotedParts(
    parts,
    { pos: within.pos + 1, end: within.end - 1, text: within.text.slice(1, -1) },
    state,
    walk,
  );
}

/** As {@link readParts}, for text in which quotes and wildcards mean nothing. */
export function readQuotedParts(
  parts: readonly WordPart[],
  within: { pos: number; end: number; text: string },
  state: ShellState,
  walk: Walk,
): string | undefined {
  let value: string | undefined = "";
  let end = within.pos;
  for (const part of parts) {
    if (part.pos !== end) walk.addOpaque(within.text, "a word of the command is not understood");
    end = part.end;
    const piece =
      part.type === "Literal" ? quotedText(part.text, walk) : readExpansionPart(part, state, walk);
    value = value === undefined || piece === undefined ? undefined : value + piece;
  }
  if (end !== within.end) walk.addOpaque(within.text, "a word of the command is not understood");
  return value;
}

function quotedText(text: string, walk: Walk): string | undefined {
  const bare = text.replaceAll(/\\[^]/g, "");
  if (/`|\$[A-Za-z0-9_({@*#?!$[-]/.test(bare)) {
    walk.addOpaque(text, "a word of the command is not understood");
    return undefined;
  }
  return text.replaceAll(/\\([$`"\\\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
}

function readExpansionPart(part: WordPart, state: ShellState, walk: Walk): string | undefined {
  switch (part.type) {
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
    case "ArithmeticExpansion":
      return readExpansion(part, state, walk, true);
    default:
      walk.addOpaque(part.text, "a word of the command is not understood");
      return undefined;
  }
}

/** A part whose value isn't worked out: what it runs is looked through. */
function generic(part: WordPart, state: ShellState, walk: Walk): undefined {
  // Without the option extglob, which is off, bash reads `!(x)` as a command.
  if (part.type === "ExtendedGlob") walk.addOpaque(part.text, `${part.text} is only known when it runs`);
  readExpansion(part, state, walk, false);
  return undefined;
}
