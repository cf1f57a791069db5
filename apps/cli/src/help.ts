import type { Command } from "./command.ts";
import type { Flag } from "./flags.ts";

/** The text of `toycoder --help`. */
export async function overview(commands: Readonly<Record<string, () => Promise<Command>>>): Promise<string> {
  const rows: [string, string][] = [];
  for (const [name, load] of Object.entries(commands)) {
    const { usage, summary } = await load();
    rows.push([`${name} ${usage}`.trim(), summary]);
  }
  return `toycoder: a coding agent for where no person is.

Usage: toycoder COMMAND …

Commands
${table(rows)}

  toycoder COMMAND --help   the flags of a command
  toycoder --version

Example: toycoder run "make the failing test pass" --enable run_command --allow 'run_command(npm test)'
`;
}

/** The text of `toycoder COMMAND --help`. */
export function commandHelp(name: string, { usage, summary, details, flags }: Command): string {
  const rows = Object.entries(flags).map(([flag, one]): [string, string] => [flagText(flag, one), one.help]);
  return [
    `toycoder ${name} ${usage}`.trim(),
    `  ${summary}`,
    ...(rows.length === 0 ? [] : [`\nFlags\n${table(rows)}`]),
    ...(details === undefined ? [] : [`\n${details}`]),
    "",
  ].join("\n");
}

function flagText(name: string, { value, choices, many }: Flag): string {
  const shown = choices?.join("|") ?? value;
  return `--${name}${shown === undefined ? "" : ` ${shown}`}${many === true ? " …" : ""}`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`).join("\n");
}
