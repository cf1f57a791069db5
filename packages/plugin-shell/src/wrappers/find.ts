import type { ShellWord, ShellWords } from "../shell-word.ts";
import type { Unwrapped } from "./unwrapped.ts";

const RUNS = /^-(?:exec|execdir|ok|okdir)$/;
/** Actions that write the file that follows. */
const WRITES = /^-(?:fprint|fprint0|fprintf|fls)$/;

/**
 * What `find` runs for the files that it finds, and what it deletes and writes. Undefined where it only looks.
 */
export function unwrapFind(args: readonly ShellWord[]): Unwrapped | undefined {
  const inner: ShellWords[] = [];
  const writes: { word: ShellWord; recursive: boolean }[] = [];
  let elsewhere = false;
  let addsArguments = false;
  let opaque: string | undefined;
  // Options of other systems, which may have values.
  if (/^-[EXdsxf]+$/.test(args[0]?.value ?? "")) opaque = "find has options that are not understood";
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? "";
    if (value === "-files0-from") opaque = "where find starts is only known when it runs";
    if (value === "-delete") writes.push(...rootsOf(args).map((word) => ({ word, recursive: true })));
    if (WRITES.test(value)) {
      const word = args[at + 1];
      if (word !== undefined) writes.push({ word, recursive: false });
    }
    if (!RUNS.test(value)) continue;
    if (value.endsWith("dir")) elsewhere = true;
    const length = args.slice(at + 1).findIndex((word, index) => endsCommand(args, at + 1 + index, word));
    const [first, ...rest] = args.slice(at + 1, length === -1 ? undefined : at + 1 + length);
    if (first === undefined) continue;
    if ([first, ...rest].some((word) => word.value.includes("{}"))) addsArguments = true;
    inner.push([first, ...rest]);
    at += length === -1 ? args.length : length + 1;
  }
  if (inner.length === 0 && writes.length === 0 && opaque === undefined) return undefined;
  return {
    inner,
    writes,
    elsewhere,
    addsArguments,
    ...(opaque === undefined ? {} : { opaque }),
  };
}

const endsCommand = (args: readonly ShellWord[], at: number, { value }: ShellWord): boolean =>
  value === ";" || (value === "+" && args[at - 1]?.value === "{}");

/** The folders in which find looks: what stands before its first test. */
export function rootsOf(args: readonly ShellWord[]): readonly ShellWord[] {
  const from = args.findIndex(({ value }) => !/^-(?:[HLP]|O\d?|D)$/.test(value));
  const rest = from === -1 ? [] : args.slice(from);
  const end = rest.findIndex(({ value }) => /^(?:-.|[(!,)])/.test(value));
  const roots = end === -1 ? rest : rest.slice(0, end);
  return roots.length === 0 ? [{ value: ".", glob: false, tilde: false }] : roots;
}
