import { cellText } from "./cell-text.ts";
import type { Cell, Table } from "./query-rows.ts";

/** RFC 4180: CRLF, and quotes where they are needed. */
export function csvTable({ columns, rows }: Pick<Table, "columns" | "rows">): string {
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map((_, at) => row[at] ?? null)),
  ];
  return lines.map((cells) => `${cells.map(field).join(",")}\r\n`).join("");
}

/** A text that a spreadsheet would run as a formula gets an apostrophe; numbers are left as they are. */
function field(value: Cell): string {
  const text = cellText(value);
  const isFormula = typeof value === "string" && /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text));
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
