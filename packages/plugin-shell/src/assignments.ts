import type { Assignment } from "unbash";
import { readWord } from "./read-word.ts";
import { type ShellState, type Value, withVariable } from "./shell-state.ts";
import { expandTilde } from "./tilde.ts";
import type { Walk } from "./walk.ts";

const HARMLESS = /^(?:CI|LC_[A-Z]+|LANG|TZ|NO_COLOR|NODE_ENV)$/;

/** Variables with which bash itself changes how it works. */
const SHELL_OWN =
  /^(?:PATH|IFS|HOME|PWD|OLDPWD|CDPATH|ENV|PS[0-4]|PROMPT_COMMAND|BASH.*|SHELL.*|GLOB.*|POSIXLY_CORRECT|EXECIGNORE|FIGNORE|FUNC.*|HIST.*|INPUTRC|OPT.*|TMOUT|TIMEFORMAT|UID|EUID|PPID|GROUPS|HOST.*|RANDOM|SRANDOM|SECONDS|EPOCH.*|LINENO|DIRSTACK|PIPESTATUS|REPLY|READLINE_.*|MAPFILE|COPROC|COMP.*|CHILD_MAX|LINES|COLUMNS|_)$/;

/** Whether a variable changes what the shell or the programs that it runs do. */
export const isOwnVariable = (name: string, { environment }: Walk): boolean =>
  SHELL_OWN.test(name) || (Object.hasOwn(environment, name) && !HARMLESS.test(name));

/** What the assignment sets its variable to, as far as it is known. */
function valueOf(assignment: Assignment, state: ShellState, walk: Walk): Value | undefined {
  const { value } = assignment;
  if (value.type !== "Word") {
    for (const element of value.elements) readWord(element, state, walk);
    return undefined;
  }
  if (value.text === "" || value.pos === value.end) return { text: "", glob: false };
  const words = readWord(value, state, walk);
  if (/^\$\(\([^]*\)\)$/.test(value.text)) return "integer";
  const [word] = words;
  // Braces mean nothing here, and more tildes than the first one do.
  if (word === undefined || word.unknown === true || word.stream === true || /[{]|:~/.test(value.text))
    return undefined;
  if (!word.tilde) return { text: word.value, glob: false };
  const text = expandTilde(word.value, walk);
  return text === undefined ? undefined : { text, glob: false };
}

function isPlain({ name, append, index, value, text }: Assignment): boolean {
  return (
    append !== true && index === undefined && value.type === "Word" && text === `${name}=${value.text ?? ""}`
  );
}

/** Reads the assignments before a command. Gives why they may change what the command does. */
export function readPrefix(
  assignments: readonly Assignment[],
  state: ShellState,
  walk: Walk,
): string | undefined {
  let reason: string | undefined;
  for (const one of assignments) {
    const value = valueOf(one, state, walk);
    const harmless = HARMLESS.test(one.name) && isPlain(one) && value !== undefined;
    if (!harmless) reason ??= `it sets ${one.name} for the command`;
    if (one.index !== undefined) reason = "it sets an element of an array";
  }
  return reason;
}

/** Assignments that stand alone set variables of the shell. Gives the state after them. */
export function assign(assignments: readonly Assignment[], state: ShellState, walk: Walk): ShellState {
  let after = state;
  for (const one of assignments) {
    const value = valueOf(one, after, walk);
    after = withVariable(after, one.name, isPlain(one) ? value : undefined);
    if (one.index !== undefined) walk.addOpaque(one.text, "the index of an array is evaluated");
    else if (isOwnVariable(one.name, walk)) {
      walk.addOpaque(one.text, `${one.name} changes what commands do`);
    }
  }
  return after;
}
