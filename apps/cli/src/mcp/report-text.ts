import type { McpServerReport } from "@toycoder/mcp";
import { plainText } from "../render/plain-text.ts";
import { statusLine } from "./server-status.ts";

/** Servers for people: a line each, and below it a line for each tool, with its level and what was made of it. */
export function reportText(reports: readonly McpServerReport[]): string {
  const lines = reports.flatMap((report) => [
    `${report.server}${report.required ? " (required)" : ""}: ${statusLine({ ...report, leftOut: [] })}`,
    ...toolLines(report),
    ...report.leftOut.map(({ tool, reason }) => `  left out: ${tool}: ${reason}`),
  ]);
  // Names and reasons may be a stranger's words.
  return lines.map((line) => `${plainText(line)}\n`).join("");
}

function toolLines({ tools }: McpServerReport): string[] {
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  return tools.map(({ name, tool, level, notes }) => {
    const own = name.endsWith(`__${tool}`) ? "" : `  (${tool})`;
    const noted = notes.length === 0 ? "" : `  ${notes.join("; ")}`;
    return `  ${name.padEnd(width)}  ${level.padEnd(9)}${own}${noted}`.trimEnd();
  });
}
