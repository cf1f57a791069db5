import { cellText } from "./cell-text.ts";
import type { Table } from "./query-rows.ts";

/** A table of GitHub's Markdown, columns of numbers to the right. Nothing in a cell is markup. */
export function markdownTable({ columns, rows }: Pick<Table, "columns" | "rows">): string {
  const isNumber = columns.map((_, at) => {
    const values = rows.map((row) => row[at] ?? null).filter((value) => value !== null);
    return values.length > 0 && values.every((value) => typeof value === "number");
  });
  return [
    columns.map(({ name }) => escape(name)),
    isNumber.map((right) => (right ? "---:" : "---")),
    ...rows.map((row) => columns.map((_, at) => escape(cellText(row[at])))),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const escape = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>|~]/g, String.raw`\$&`)
    .replaceAll(/\r\n|[\r\n]/g, "<br>")
    .trim();
