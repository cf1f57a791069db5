import path from "node:path";
import type { ShellWords } from "../shell-word.ts";
import { unwrapEnv, unwrapSudo } from "./env.ts";
import { unwrapFind } from "./find.ts";
import { unwrapCommand, unwrapNice, unwrapPrefix } from "./prefix.ts";
import { unwrapShell } from "./shell-script.ts";
import type { Unwrapped } from "./unwrapped.ts";
import { unwrapXargs } from "./xargs.ts";

/** What a program runs that is known to run others. Undefined for all other programs. */
export function unwrap(words: ShellWords): Unwrapped | undefined {
  const unwrapped = unwrapByName(words);
  const odd = unwrapped?.inner?.find(([name]) => name.value.startsWith("-"));
  return odd === undefined ? unwrapped : { ...unwrapped, opaque: `${odd[0].value} is no command` };
}

function unwrapByName([first, ...args]: ShellWords): Unwrapped | undefined {
  const name = path.posix.basename(first.value);
  switch (name) {
    case "env":
      return unwrapEnv(args);
    case "sudo":
      return unwrapSudo(args);
    case "command":
      return unwrapCommand(args);
    case "nice":
      return unwrapNice(args);
    case "xargs":
      return unwrapXargs(args);
    case "find":
      return unwrapFind(args);
    default:
      return unwrapPrefix(name, args) ?? unwrapShell(name, args);
  }
}
