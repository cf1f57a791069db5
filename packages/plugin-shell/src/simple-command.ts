import type { Assignment, Command, Redirection, Word, WordPart } from "unbash";

/** One word of a command after quote removal. A glob's `value` is its pattern as written. */
export interface ShellWord {
  value: string;
  /** Holds an unquoted wildcard. */
  glob: boolean;
  /** Starts with an unquoted tilde. */
  tilde: boolean;
}

/** A command whose words are known, or why they are not. */
export type SimpleCommand = { words: readonly [ShellWord, ...ShellWord[]] } | { opaque: string };

const MAX_LENGTH = 10_000;
/** Printable text, spaces, tabs and newlines: what every shell reads the same way. */
const PLAIN_TEXT = /^[\t\n\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
const HARMLESS_VARIABLE = /^(?:CI|LC_[A-Z]+|LANG|TZ|NO_COLOR|NODE_ENV)$/;

/**
 * Reads a text as exactly one simple command with literal words. Whatever else it is (a list, a pipe, an
 * expansion, a redirection to a file, a text that isn't understood whole) is opaque, with the reason.
 */
export async function readSimpleCommand(text: string): Promise<SimpleCommand> {
  if (text.length > MAX_LENGTH) return { opaque: `the command is over ${MAX_LENGTH} characters long` };
  if (!PLAIN_TEXT.test(text)) return { opaque: "the command holds control characters" };
  if (/\\\s*$|\\\n/.test(text)) return { opaque: "a backslash ends a line of the command" };
  const { parse } = await import("unbash");
  const { commands, errors } = parse(text);
  if (errors !== undefined && errors.length > 0)
    return { opaque: `the command has an ${errors[0]?.message}` };
  const [statement] = commands;
  if (statement === undefined) return { opaque: "there is no command in it" };
  if (commands.length > 1) return { opaque: "it is more than one command" };
  if (statement.background === true) return { opaque: "it starts something in the background" };
  const { command } = statement;
  if (command.type !== "Command") return { opaque: `it is not one simple command (${command.type})` };
  if (!coversText(command, text)) return { opaque: "not all of the command is understood" };
  return readCommand(command);
}

/** Whether the parts of the command are all that the text holds, but for white space and a comment. */
function coversText({ name, prefix, suffix }: Command, text: string): boolean {
  let end = 0;
  for (const part of [...prefix, ...(name === undefined ? [] : [name]), ...suffix].sort(
    (a, b) => a.pos - b.pos,
  )) {
    if (part.pos < end || !/^[ \t\n]*$/.test(text.slice(end, part.pos))) return false;
    if (part.type === "Word" && part.text !== text.slice(part.pos, part.end)) return false;
    end = part.end;
  }
  return /^(?:[ \t\n]*|[ \t]+#.*\n*)$/.test(text.slice(end));
}

function readCommand({ name, prefix, args, redirects }: Command): SimpleCommand {
  if (name === undefined) return { opaque: "it has no command name" };
  for (const part of prefix) {
    if (part.type === "Assignment" && !isHarmless(part))
      return { opaque: `it sets ${part.name} for the command` };
  }
  for (const redirect of redirects) {
    if (!goesNowhere(redirect)) return { opaque: "it redirects to or from a file" };
  }
  const first = readWord(name);
  if (first === undefined || first.glob || first.tilde || /^%|^$/.test(first.value)) {
    return { opaque: "the command's name is not written out" };
  }
  const rest: ShellWord[] = [];
  for (const arg of args) {
    const word = arg.type === "Word" ? readWord(arg) : undefined;
    if (word === undefined) return { opaque: `${arg.text} is only known when it runs` };
    rest.push(word);
  }
  return { words: [first, ...rest] };
}

function isHarmless({ name, value, append, index }: Assignment): boolean {
  if (!HARMLESS_VARIABLE.test(name) || append === true || index !== undefined) return false;
  if (value.type !== "Word") return false;
  const word = readWord(value);
  return word !== undefined && !word.tilde;
}

/** A redirection to or from /dev/null, or between descriptors. */
function goesNowhere(redirect: Redirection): boolean {
  if (redirect.type !== "Redirect" || redirect.target === undefined) return false;
  if (redirect.descriptor?.type === "FileDescriptorVariable") return false;
  const { text } = redirect.target;
  if (text === "/dev/null") return true;
  return (redirect.operator === ">&" || redirect.operator === "<&") && /^(?:\d+-?|-)$/.test(text);
}

/** Undefined for a word with an expansion of any kind. */
function readWord({ text, value, parts = [] }: Word): ShellWord | undefined {
  if (hasOperator(text) || !parts.every(isLiteral)) return undefined;
  return { value, glob: parts.some((part) => part.type === "Glob"), tilde: text.startsWith("~") };
}

function isLiteral(part: WordPart): boolean {
  switch (part.type) {
    case "SingleQuoted":
      return true;
    case "Literal":
      return true;
    case "DoubleQuoted":
      return part.parts.every((child) => child.type === "Literal");
    case "Glob":
      return part.kind !== "bracket" || part.parts.every(isLiteral);
    default:
      return false;
  }
}

/**
 * Belt and braces, beside the parser: whether a word holds what no literal word can. Outside of quotes that is an
 * operator or a brace expansion, and `$` or a backtick wherever it isn't in single quotes or escaped.
 */
function hasOperator(text: string): boolean {
  const bare = text.replaceAll(/\\[^]|'[^']*'|"((?:[^"\\]|\\[^])*)"/g, (_, double: string | undefined) =>
    double === undefined ? "" : double.replaceAll(/\\[^]|[^$`]/g, ""),
  );
  return /[$`()<>|&;\s'"\\]/.test(bare) || (bare.includes("{") && /,|\.\./.test(text));
}
