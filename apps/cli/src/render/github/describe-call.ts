import { wholeCharacters } from "@toycoder/core";

/** What a call is about, on one line: its command, path or the like, else all of its arguments. */
export function describeCall(tool: string, given: unknown): string {
  const args = parsed(given);
  const main = MAIN_ARGUMENTS.map((key): unknown => Reflect.get(args, key)).find(
    (value) => typeof value === "string",
  );
  return oneLine(`${tool} ${typeof main === "string" ? main : JSON.stringify(args)}`, 200);
}

/** The command of a call that has one. */
export function commandOf(given: unknown): string | undefined {
  const command: unknown = Reflect.get(parsed(given), "command");
  return typeof command === "string" ? command : undefined;
}

/** White space and control characters as single spaces, cut to a length. */
export function oneLine(text: string, length: number): string {
  // Of a long text no more is looked at than may be needed.
  const line = text
    .slice(0, 20 * length)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= length ? line : `${line.slice(0, wholeCharacters(line, length - 1))}…`;
}

const MAIN_ARGUMENTS = ["command", "pattern", "path", "url", "question"];

function parsed(given: unknown): object {
  try {
    const value: unknown = typeof given === "string" ? JSON.parse(given) : given;
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
