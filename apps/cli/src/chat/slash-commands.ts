import { nearest } from "@toycoder/core";
import { UsageError } from "../usage-error.ts";

/** What a line that starts with a slash does in a chat. */
export interface SlashCommand<T> {
  usage: string;
  summary: string;
  /** `rest` is the line after the command's name. Throws a UsageError or a SetupError for what is wrong. */
  act: (chat: T, rest: string) => void | Promise<void>;
}

export type SlashCommands<T> = Readonly<Record<string, SlashCommand<T>>>;

/**
 * The command that a line names, and the rest of the line; undefined for a line that is none, such as one that
 * starts with a path. Throws a UsageError with the nearest command for an unknown one.
 */
export function parseSlash<T>(
  line: string,
  commands: SlashCommands<T>,
): { command: SlashCommand<T>; rest: string } | undefined {
  const match = /^\/([A-Za-z?-]*)(?:\s+([^]*))?$/.exec(line.trim());
  if (match === null) return undefined;
  const [, name = "", rest = ""] = match;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return { command, rest: rest.trim() };
  const [near] = nearest(name, Object.keys(commands), 1);
  throw new UsageError(
    `there is no command /${name}`,
    near === undefined ? "/help lists the commands" : `did you mean /${near}?`,
  );
}

/** A table of the commands. */
export function slashHelp<T>(commands: SlashCommands<T>): string {
  const rows = Object.entries(commands).map(([name, { usage, summary }]) => [
    `/${name} ${usage}`.trim(),
    summary,
  ]);
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right = ""]) => `${left.padEnd(width)}  ${right}`).join("\n");
}
