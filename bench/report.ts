import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Absent, or not a number: a dash. */
export type Cell = string | number | undefined;

export interface Table {
  title?: string;
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** The value below which that share of the values lies; NaN where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** What the figures were taken on. */
export function machine(): string {
  const cpu = cpus()[0]?.model.trim() ?? "unknown processor";
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu}`;
}

/** A Markdown table: words on the left, figures on the right with as many decimals as say something. */
export function toMarkdown({ title, head, rows }: Table): string {
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  const lines = [head, rule, ...rows.map((row) => row.map(shown))];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return title === undefined ? table : `${title}\n\n${table}`;
}

function shown(cell: Cell): string {
  if (typeof cell === "string") return cell;
  if (cell === undefined || Number.isNaN(cell)) return "–";
  if (Number.isInteger(cell)) return String(cell);
  const size = Math.abs(cell);
  return cell.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
}

/** Where a bench writes its JSON: `--out FILE`, else bench/.reports/NAME.json. */
export const reportFile = (name: string, out: string | undefined): string =>
  out ?? fileURLToPath(new URL(`.reports/${name}.json`, import.meta.url));

/** Prints how it was measured and the tables, and writes `data` as JSON with the machine and the time. */
export function report(file: string, how: string, tables: readonly Table[], data: object): void {
  const at = new Date().toISOString();
  console.log(`${how}; ${at.slice(0, 10)}, ${machine()}\n`);
  console.log(tables.map(toMarkdown).join("\n\n"));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ how, machine: machine(), at, ...data }, null, 2)}\n`);
  console.log(`\nwritten to ${path.relative(process.cwd(), file)}`);
}
