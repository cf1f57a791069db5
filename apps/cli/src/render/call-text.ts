import { type EffectReport, wholeCharacters } from "@toycoder/core";
import type { Paint } from "./paint.ts";
import { plainLine } from "./plain-text.ts";

/** What a call is about, in one line: its path, command or pattern where it has one, else all of its arguments. */
export function describeArguments(given: unknown): string {
  const whole = typeof given === "string" ? given : JSON.stringify(given ?? {});
  const main = mainArguments(given).join(" ");
  const text = plainLine(main === "" ? whole : main);
  return text.length > 160 ? `${text.slice(0, wholeCharacters(text, 159))}…` : text;
}

const MAIN_ARGUMENTS = ["command", "pattern", "path", "url", "question", "description", "query"];

function mainArguments(given: unknown): string[] {
  try {
    const args: unknown = typeof given === "string" ? JSON.parse(given) : given;
    if (typeof args !== "object" || args === null) return [];
    const values = MAIN_ARGUMENTS.map((key): unknown => Reflect.get(args, key));
    return values.filter((value) => typeof value === "string");
  } catch {
    return [];
  }
}

/** The kinds of what a call does for certain, as in `exec ×2, write`. */
export function effectKinds(effects: readonly EffectReport[]): string {
  const kinds = Map.groupBy(
    effects.filter(({ implied }) => !implied),
    ({ kind }) => kind,
  );
  return [...kinds].map(([kind, { length }]) => (length === 1 ? kind : `${kind} ×${length}`)).join(", ");
}

/** One effect in a line, as in `write src/a.ts` or `exec git push`. */
export function effectText({ kind, path, argv, host, implied, opaque }: EffectReport): string {
  const what = plainLine(path ?? argv?.join(" ") ?? host ?? "");
  return `${kind} ${what}${implied ? " (perhaps)" : ""}${opaque ? " (could not be taken apart)" : ""}`;
}

/** The first lines of a text, and how many more there are. */
export function clipLines(text: string, lines: number): string {
  const all = text.trimEnd().split("\n");
  if (all.length <= lines) return all.join("\n");
  const more = all.length - lines;
  return [...all.slice(0, lines), `… ${more} more ${more === 1 ? "line" : "lines"}`].join("\n");
}

/** A unified diff with its additions green and its removals red. */
export function paintDiff(diff: string, paint: Paint): string {
  const style = (line: string, index: number): string => {
    if (index < 2 && /^(?:---|\+\+\+) /.test(line)) return paint.bold(line);
    if (line.startsWith("@@")) return paint.cyan(line);
    if (line.startsWith("+")) return paint.green(line);
    return line.startsWith("-") ? paint.red(line) : line;
  };
  return diff.split("\n").map(style).join("\n");
}
