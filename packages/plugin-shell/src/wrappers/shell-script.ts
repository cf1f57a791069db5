import type { ShellWord } from "../shell-word.ts";
import type { Unwrapped } from "./unwrapped.ts";

const SHELLS = /^(?:ba|da|a|z|k|mk)?sh$/;

/** `sh -c 'text'`: runs the text. A shell that runs a file, or reads its input, is no wrapper. */
export function unwrapShell(name: string, args: readonly ShellWord[]): Unwrapped | undefined {
  if (!SHELLS.test(name)) return undefined;
  let at = 0;
  let gets = false;
  for (; at < args.length; at++) {
    const { value = "", unknown = false, glob = false } = args[at] ?? {};
    if (unknown || glob || value === "-" || value.startsWith("+")) return undefined;
    if (!value.startsWith("-") || value === "--") break;
    if (/^-[eu]*c?[eu]*$/.test(value)) gets ||= value.includes("c");
    else if (/^-[eu]*o$/.test(value) && /^(?:pipefail|errexit|nounset)$/.test(args[at + 1]?.value ?? ""))
      at++;
    else if (/^-[a-z]*c$/.test(value)) {
      const script = textAt(name, args, at + 1);
      return { ...script, opaque: `${name} ${value} reads its own files` };
    } else return undefined;
  }
  if (!gets) return undefined;
  if (args[at]?.value === "--") at++;
  return textAt(name, args, at);
}

function textAt(name: string, args: readonly ShellWord[], at: number): Unwrapped {
  const word = args[at];
  if (word === undefined) return { opaque: `${name} lacks the text that it is to run` };
  if (word.unknown === true || word.glob || word.tilde) {
    return { opaque: `what ${name} runs is only known then` };
  }
  const script = { text: word.value, bash: name === "bash" };
  if (/^(?:ba|da|a)?sh$/.test(name)) return { script };
  return { script, opaque: `${name} reads some texts in its own way` };
}
