import type { ShellWord } from "../shell-word.ts";
import { takeOptions } from "./take-options.ts";
import { commandAt, type Unwrapped } from "./unwrapped.ts";

const HARMLESS = /^(?:CI|LC_[A-Z]+|LANG|TZ|NO_COLOR|NODE_ENV)=/;

/** `env -u X CI=1 x`: runs x. What it sets must be harmless. */
export function unwrapEnv(args: readonly ShellWord[]): Unwrapped {
  const taken = takeOptions(args, {
    flags: "i0v",
    values: "u",
    longFlags: ["ignore-environment", "null", "debug"],
    longValues: ["unset"],
  });
  if (taken === undefined) return { opaque: "env has options that are not understood" };
  // A lone `-` is -i.
  return afterVariables("env", args, args[taken.end]?.value === "-" ? taken.end + 1 : taken.end);
}

/** `sudo -u root x`: runs x. A shell of its own (-i, -s), an editor (-e) and all else are not looked into. */
export function unwrapSudo(args: readonly ShellWord[]): Unwrapped {
  const taken = takeOptions(args, {
    flags: "nEHkSbAP",
    values: "ugp",
    longFlags: ["non-interactive", "set-home", "stdin", "background", "reset-timestamp"],
    longValues: ["user", "group", "prompt"],
  });
  if (taken === undefined) return { opaque: "sudo has options that are not understood" };
  return afterVariables("sudo", args, taken.end);
}

function afterVariables(name: string, args: readonly ShellWord[], from: number): Unwrapped {
  let at = from;
  let opaque: string | undefined;
  for (; /^[^=]*=/.test(args[at]?.value ?? ""); at++) {
    const value = args[at]?.value ?? "";
    if (!HARMLESS.test(value)) opaque ??= `${name} sets ${value.split("=", 1)[0]}`;
  }
  return { ...commandAt(args, at), ...(opaque === undefined ? {} : { opaque }) };
}
