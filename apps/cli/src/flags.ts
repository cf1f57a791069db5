import { parseArgs } from "node:util";
import { nearest } from "@toycoder/core";
import { UsageError } from "./usage-error.ts";

/** One flag of a command. `value` names what it takes in the help; without it the flag is a switch. */
export interface Flag {
  value?: string;
  /** May be given several times. */
  many?: boolean;
  /** A whole number from 1. */
  count?: boolean;
  /** A number above 0. */
  amount?: boolean;
  /** The only values that it takes. */
  choices?: readonly string[];
  short?: string;
  help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** The flags and words of a command line, checked against a command's table. */
export class ParsedFlags {
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(words: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.words = words;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The last value given. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The value of a `count` or an `amount`. */
  count(name: string): number | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : Number(value);
  }
}

/** Parses the words after a command's name. Throws a UsageError that names the flag and the nearest known one. */
export function parseFlags(args: readonly string[], flags: Flags): ParsedFlags {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined) throw unknownFlag(token.rawName, flags);
    // What looks like the next flag is a forgotten value; --flag=-x gives one that starts with a dash.
    const forgotten = token.inlineValue === false && /^-./.test(token.value);
    const value = checkedValue(token.rawName, flag, forgotten ? undefined : token.value);
    const before = values.get(token.name) ?? [];
    values.set(token.name, flag.many === true ? [...before, value] : [value]);
  }
  return new ParsedFlags(words, values);
}

function unknownFlag(given: string, flags: Flags): UsageError {
  const [near] = nearest(given, Object.keys(flags), 1);
  return new UsageError(`unknown flag ${given}`, near === undefined ? undefined : `did you mean --${near}?`);
}

function checkedValue(name: string, flag: Flag, value: string | undefined): string {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`${name} takes no value`);
    return "";
  }
  if (value === undefined) throw new UsageError(`${name} needs a value: ${name} ${flag.value}`);
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const [near] = nearest(value, flag.choices, 1);
    throw new UsageError(
      `${name} is one of ${flag.choices.join(", ")}, not ${JSON.stringify(value)}`,
      near === undefined ? undefined : `did you mean ${near}?`,
    );
  }
  if (flag.count === true && !/^[1-9]\d{0,8}$/.test(value)) {
    throw new UsageError(`${name} is a whole number from 1, not ${JSON.stringify(value)}`);
  }
  if (flag.amount === true && !(/^\d{0,8}(?:\.\d{1,8})?$/.test(value) && Number(value) > 0)) {
    throw new UsageError(`${name} is a number above 0, not ${JSON.stringify(value)}`);
  }
  return value;
}
