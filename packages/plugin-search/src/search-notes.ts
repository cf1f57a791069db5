import { pathErrors } from "./ripgrep-error.ts";
import type { RipgrepEnd } from "./run-ripgrep.ts";

const MAX_NAMED = 3;

/** What a result lacks, in words: a line each for a search that was stopped, unreadable places, hidden files. */
export function searchNotes({
  end,
  hidden,
  timeoutMs,
  unopenable,
  lost = [],
}: {
  end: RipgrepEnd;
  hidden: number;
  timeoutMs: number;
  /** Paths in the result that aren't UTF-8. */
  unopenable: number;
  /** Symbolic links that lead nowhere, or out of the workspace. */
  lost?: readonly string[];
}): string[] {
  const notes: string[] = [];
  if (end.timedOut) {
    notes.push(`[incomplete: stopped after ${timeoutMs / 1000} s; search a smaller path or use include]`);
  }
  const errors = pathErrors(end.errors);
  if (errors.length > 0) {
    notes.push(`[incomplete: ${count(errors.length, "place")} could not be read: ${naming(errors)}]`);
  }
  if (hidden > 0) notes.push(`[${count(hidden, "file")} hidden by permission rules]`);
  if (lost.length > 0) {
    const links = count(lost.length, "symbolic link");
    notes.push(`[left out: ${links} to nowhere or out of the workspace: ${naming(lost.map(showPath))}]`);
  }
  if (unopenable > 0) {
    const shown = `${count(unopenable, "path")} with bytes that are not UTF-8, shown as \u{FFFD}`;
    notes.push(`[${shown}: no tool can open that; rename with a command]`);
  }
  return notes;
}

const naming = (all: readonly string[]): string =>
  all.slice(0, MAX_NAMED).join("; ") + (all.length > MAX_NAMED ? "; …" : "");

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A path for a result's line; one with control characters is quoted, so that it keeps to its line. */
export const showPath = (path: string): string => (/[\0-\x1f\x7f]/.test(path) ? JSON.stringify(path) : path);
