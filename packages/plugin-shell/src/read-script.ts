import type { forEachChild, parse, ParsedScript } from "unbash";
import { uncovered } from "./skeleton.ts";

const MAX_LENGTH = 10_000;
/** Printable text, spaces, tabs and newlines: what every shell reads the same way. */
const PLAIN_TEXT = /^[\t\n\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/** What is used of unbash, which is loaded when the first command comes. */
export interface Parser {
  parse: typeof parse;
  forEachChild: typeof forEachChild;
}

/** A text of commands that was understood whole, or why it was not. */
export type ReadScript = { script: ParsedScript } | { opaque: string };

/** Parses a text of commands, and checks beside the parser that it left nothing out. */
export function readScript(text: string, { parse, forEachChild }: Parser): ReadScript {
  if (text.length > MAX_LENGTH) return { opaque: `the command is over ${MAX_LENGTH} characters long` };
  if (!PLAIN_TEXT.test(text)) return { opaque: "the command holds control characters" };
  if (/\\\s*$/.test(text)) return { opaque: "a backslash ends the command" };
  const script = parse(text);
  const [error] = script.errors ?? [];
  if (error !== undefined) return { opaque: `the command has an ${error.message}` };
  const place = uncovered(script, text, forEachChild);
  if (place !== undefined) return { opaque: `not all of the command is understood (${place})` };
  return { script };
}

/** What bash reads otherwise than a plain POSIX shell does. */
const BASH_ONLY =
  /\$['"[]|&>|>&(?![\d-])|\{(?![\s}])|\[\[|\(\(|[<>]\(|<<<|\|&|;&|\+=|~[+-]|\$\{[^}]*[/^,@:!]|\b(?:function|select|coproc|time|source)\b|=\(/;

/** Whether bash, dash and other shells named `sh` may read a text differently. */
export const isBashOnly = (text: string): boolean => BASH_ONLY.test(text);
