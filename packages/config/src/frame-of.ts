/** The named line and the one before it, with a caret under the column. */
export function frameOf(content: string, line: number, column: number | undefined): string | undefined {
  const lines = content.split("\n");
  const source = lines[line - 1];
  if (source === undefined) return undefined;
  const above = line > 1 ? [lines[line - 2] ?? ""] : [];
  const caret = column === undefined ? [] : [`${source.slice(0, column - 1).replaceAll(/[^\t]/g, " ")}^`];
  return [...above, source, ...caret].map((one) => one.slice(0, 200)).join("\n");
}
