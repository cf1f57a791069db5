/**
 * Text in which GitHub's runner finds no workflow command, on stdout or stderr. A command is `::` at the start of a
 * line, white space before it not counted, or the older `##[` anywhere in a line; lines end with CR too
 * (actions/runner, `src/Runner.Common/ActionCommand.cs`). Both get a backslash, and nothing else is changed.
 */
export const inertText = (text: string): string =>
  text
    .replaceAll(/^([^\S\r\n]|\u0085)*:(?=:)/gm, (start) => `${start.slice(0, -1)}\\:`)
    .replaceAll("##[", "##\\[");

/** The same for JSON on one line or indented: `##[` can only stand in a string there, and stays the same value. */
export const inertJson = (json: string): string => json.replaceAll("##[", String.raw`##\u005b`);
