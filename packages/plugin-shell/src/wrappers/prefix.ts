import type { ShellWord } from "../shell-word.ts";
import { type OptionNames, takeOptions } from "./take-options.ts";
import { commandAt, type Unwrapped } from "./unwrapped.ts";

/** A program that runs the command after its options and as many further arguments. */
interface Prefix extends OptionNames {
  operands?: number;
  inShell?: boolean;
}

const PREFIXES: ReadonlyMap<string, Prefix> = new Map<string, Prefix>([
  ["builtin", { inShell: true }],
  ["exec", { flags: "cl", values: "a", inShell: true }],
  ["nohup", {}],
  ["time", { flags: "pvq", longFlags: ["portability", "verbose", "quiet"] }],
  ["stdbuf", { values: "ioe", longValues: ["input", "output", "error"] }],
  [
    "timeout",
    {
      flags: "v",
      values: "ks",
      longFlags: ["foreground", "preserve-status", "verbose"],
      longValues: ["kill-after", "signal"],
      operands: 1,
    },
  ],
  ["doas", { flags: "n", values: "u" }],
  ["busybox", {}],
]);

/** The command behind `nohup`, `timeout 5` and the like. Undefined where it is none of these. */
export function unwrapPrefix(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  const prefix = PREFIXES.get(name);
  if (prefix === undefined) return undefined;
  const taken = takeOptions(args, prefix);
  if (taken === undefined) return { opaque: `${name} has options that are not understood` };
  const inner = commandAt(args, taken.end + (prefix.operands ?? 0));
  return { ...inner, ...(prefix.inShell === true ? { inShell: true } : {}) };
}

/** `command x` runs x; `command -v x` only looks for it. */
export function unwrapCommand(args: readonly ShellWord[]): Unwrapped {
  const taken = takeOptions(args, { flags: "pvV" });
  if (taken === undefined) return { opaque: "command has options that are not understood" };
  if (taken.found.has("v") || taken.found.has("V")) return {};
  return { ...commandAt(args, taken.end), inShell: true };
}

/** `nice -n 5 x`, `nice -5 x`. */
export function unwrapNice(args: readonly ShellWord[]): Unwrapped {
  const from = /^-\d+$/.test(args[0]?.value ?? "") ? 1 : 0;
  const taken = takeOptions(args.slice(from), { values: "n", longValues: ["adjustment"] });
  if (taken === undefined) return { opaque: "nice has options that are not understood" };
  return commandAt(args, from + taken.end);
}
