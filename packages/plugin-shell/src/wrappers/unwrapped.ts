import type { ShellWord, ShellWords } from "../shell-word.ts";

/** What a wrapper runs, and what it does itself. */
export interface Unwrapped {
  /** The commands that it runs. */
  inner?: readonly ShellWords[];
  /** It runs them in this shell: what they change stays. */
  inShell?: boolean;
  /** They run in a folder that isn't known. */
  elsewhere?: boolean;
  /** It gives them arguments that aren't known. */
  addsArguments?: boolean;
  /** A text of commands that it runs, and whether bash reads it. */
  script?: { text: string; bash: boolean };
  /** Why it may do more than that. */
  opaque?: string;
  /** Files that it surely writes. */
  writes?: readonly { word: ShellWord; recursive: boolean }[];
}

/** The command that begins at a place among the arguments, where one does. */
export function commandAt(args: readonly ShellWord[], at: number): { inner?: readonly ShellWords[] } {
  const [first, ...rest] = args.slice(at);
  return first === undefined ? {} : { inner: [[first, ...rest]] };
}
