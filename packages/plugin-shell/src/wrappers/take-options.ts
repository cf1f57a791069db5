import type { ShellWord } from "../shell-word.ts";

/** The options that a program knows before its command. */
export interface OptionNames {
  /** Letters of options without and with a value. */
  flags?: string;
  values?: string;
  /** Names of long options without and with a value (`--name value` or `--name=value`). */
  longFlags?: readonly string[];
  longValues?: readonly string[];
}

export interface TakenOptions {
  /** Index of the first argument that is no option. */
  end: number;
  /** The options that were met, by letter or name, with their values. */
  found: ReadonlyMap<string, string>;
}

/** Reads the options at the start of the arguments. Undefined where one isn't known: what follows it may be its value. */
export function takeOptions(
  args: readonly ShellWord[],
  { flags = "", values = "", longFlags = [], longValues = [] }: OptionNames,
): TakenOptions | undefined {
  const found = new Map<string, string>();
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || word.unknown === true || word.glob) return undefined;
    const { value } = word;
    if (value === "--") return { end: at + 1, found };
    if (!value.startsWith("-") || value === "-") break;
    if (value.startsWith("--")) {
      const [name = "", given] = value.slice(2).split(/=([^]*)/, 2);
      if (given === undefined && longFlags.includes(name)) found.set(name, "");
      else if (longValues.includes(name)) found.set(name, given ?? args[++at]?.value ?? "");
      else return undefined;
      continue;
    }
    for (let letter = 1; letter < value.length; letter++) {
      const name = value.charAt(letter);
      if (flags.includes(name)) found.set(name, "");
      else if (values.includes(name)) {
        found.set(name, value.slice(letter + 1) || (args[++at]?.value ?? ""));
        break;
      } else return undefined;
    }
  }
  return { end: at, found };
}
