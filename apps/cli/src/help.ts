import type { Command } from "./command.ts";
import type { Flag } from "./flags.ts";
import { wrapLines } from "./render/text-width.ts";

/** The text of `toycoder --help`, within so many columns. */
export async function overview(
  commands: Readonly<Record<string, () => Promise<Command>>>,
  columns?: number,
): Promise<string> {
  const rows: [string, string][] = [];
  for (const [name, load] of Object.entries(commands)) {
    const { usage, summary } = await load();
    rows.push([`${name} ${usage}`.trim(), summary]);
  }
  return `toycoder: a coding agent on a typed tool system, for CI, scripts and a terminal.

Usage: toycoder COMMAND …

Commands
${table(rows, columns)}

  toycoder COMMAND --help   the flags of a command, and examples
  toycoder --version

Examples:
  toycoder run "explain what this project does"
  toycoder run "make the failing test pass" --enable run_command --allow 'run_command(npm test)' --allow 'edit_file(src/**)'
  toycoder chat
`;
}

/** The text of `toycoder COMMAND --help`, within so many columns. */
export function commandHelp(
  name: string,
  { usage, summary, details, flags }: Command,
  columns?: number,
): string {
  const rows = Object.entries(flags).map(([flag, one]): [string, string] => [flagText(flag, one), one.help]);
  return [
    `toycoder ${name} ${usage}`.trim(),
    wrapped(summary, columns, "  "),
    ...(rows.length === 0 ? [] : [`\nFlags\n${table(rows, columns)}`]),
    ...(details === undefined ? [] : [`\n${details.replaceAll(PROSE, (line) => wrapped(line, columns))}`]),
    "",
  ].join("\n");
}

/** A line that is nothing to be copied. */
const PROSE = /^(?! |Examples?:).+$/gm;

const wrapped = (text: string, columns: number | undefined, indent = ""): string =>
  columns === undefined ? `${indent}${text}` : wrapLines(text, columns, indent);

function flagText(name: string, { value, choices, many }: Flag): string {
  const shown = choices?.join("|") ?? value;
  return `--${name}${shown === undefined ? "" : ` ${shown}`}${many === true ? " …" : ""}`;
}

/** Columns of the right side below which it goes under the left one. */
const NARROW = 30;

function table(rows: readonly (readonly [string, string])[], columns = Infinity): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const room = columns - width - 5;
  if (columns === Infinity)
    return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join("\n");
  return rows
    .map(([left, right]) => {
      if (room < NARROW) return `  ${left}\n${wrapLines(right, columns, "      ")}`;
      return `  ${left.padEnd(width)}   ${wrapLines(right, room).replaceAll("\n", `\n${" ".repeat(width + 5)}`)}`;
    })
    .join("\n");
}
