import type { Assignment, Command } from "unbash";
import { assign, readPrefix } from "./assignments.ts";
import { readWord } from "./read-word.ts";
import { redirect } from "./redirections.ts";
import { runWords } from "./run-words.ts";
import { type Outcome, type ShellState, unchanged, withVariable } from "./shell-state.ts";
import { type ShellWord, unknownWord } from "./shell-word.ts";
import type { Walk } from "./walk.ts";

/** One simple command: its assignments, its words, its redirections. */
export function walkCommand(command: Command, state: ShellState, walk: Walk): Outcome {
  const { name, args, prefix, redirects } = command;
  const assignments = prefix.filter((part): part is Assignment => part.type === "Assignment");
  const parts = name === undefined ? [] : [name, ...args];
  const words = parts.flatMap((part): ShellWord[] => {
    if (part.type === "Word") return readWord(part, state, walk);
    const { value } = part;
    for (const one of value.type === "Word" ? [value] : value.elements) readWord(one, state, walk);
    return [unknownWord(part.text)];
  });
  if (name === undefined) {
    return unchanged(redirect(redirects, assign(assignments, state, walk), walk));
  }
  const reason = readPrefix(assignments, state, walk);
  // Before some builtins, and in some shells, an assignment stays.
  const named = assignments.reduce((one, { name }) => withVariable(one, name, undefined), state);
  const after = redirect(redirects, named, walk);
  const text = [...assignments, ...parts].map((part) => part.text).join(" ");
  const [first, ...rest] = words;
  if (first === undefined) {
    walk.addOpaque(text, "the command's name is not written out");
    return unchanged(after);
  }
  const outcome = runWords([first, ...rest], after, walk, { text, reason });
  // Whatever a command does, it doesn't do it where a redirection fails.
  return redirects.length === 0 ? outcome : { ok: outcome.ok, fail: outcome.fail ?? after };
}
