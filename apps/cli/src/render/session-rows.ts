import { homedir } from "node:os";
import type { SessionSummary } from "@toycoder/agent";
import { wholeCharacters } from "@toycoder/core";
import { plainLine } from "./plain-text.ts";

/** A table of sessions: a head, then a line for each; nothing for none. */
export function sessionRows(sessions: readonly SessionSummary[]): string[] {
  if (sessions.length === 0) return [];
  const rows = [HEAD, ...sessions.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, RIGHT.has(column)))
      .join("  ")
      .trimEnd(),
  );
}

const HEAD = ["ID", "LAST", "STATUS", "TURNS", "FILES", "COST", "SIZE", "MODEL", "WORKSPACE", "TASK"];
/** The columns of numbers. */
const RIGHT: ReadonlySet<number> = new Set([3, 4, 5, 6]);

function cells(session: SessionSummary): string[] {
  const { id, ended, status, turns, changedFiles, costUsd, bytes, model, workspace, task, problem } = session;
  return [
    id,
    localTime(ended),
    status,
    String(turns),
    String(changedFiles.length),
    costUsd === null ? "?" : `$${costUsd.toFixed(2)}`,
    sizeText(bytes),
    clip(model, 40),
    workspace.startsWith(`${homedir()}/`) ? `~${workspace.slice(homedir().length)}` : workspace,
    clip(problem ?? task, 60),
  ];
}

/** To the minute, in this machine's time. */
export function localTime(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "";
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function clip(text: string, length: number): string {
  const line = plainLine(text);
  return line.length <= length ? line : `${line.slice(0, wholeCharacters(line, length - 1))}…`;
}

const pad = (cell: string, width: number, right: boolean): string =>
  right ? cell.padStart(width) : cell.padEnd(width);
