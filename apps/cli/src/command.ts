import type { Flags, ParsedFlags } from "./flags.ts";
import type { Io } from "./io.ts";

/** One word after `toycoder`. */
export interface Command {
  /** What follows the name in the help, for instance `[task]`. */
  usage: string;
  summary: string;
  /** The words that may come first, for a shell to complete. */
  words?: readonly string[];
  /** Lines under the flags: what else a person must know. */
  details?: string;
  flags: Flags;
  /** Resolves to the exit code. What it throws is told by `main`. */
  run: (flags: ParsedFlags, io: Io) => Promise<number>;
}
