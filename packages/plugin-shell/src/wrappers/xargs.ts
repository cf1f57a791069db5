import type { ShellWord } from "../shell-word.ts";
import { takeOptions } from "./take-options.ts";
import { commandAt, type Unwrapped } from "./unwrapped.ts";

/** `xargs x`: runs x with arguments that its input holds; without a command it prints them. */
export function unwrapXargs(args: readonly ShellWord[]): Unwrapped {
  const taken = takeOptions(args, {
    flags: "0rtx",
    values: "nPLIdEsa",
    longFlags: ["null", "no-run-if-empty", "verbose", "exit"],
    longValues: ["max-args", "max-procs", "delimiter", "arg-file", "max-chars"],
  });
  if (taken === undefined) return { opaque: "xargs has options that are not understood" };
  const command = commandAt(args, taken.end);
  return { ...command, ...(command.inner === undefined ? {} : { addsArguments: true }) };
}
