import type { McpServerReport, McpServers } from "@toycoder/mcp";

const MAX_LEFT_OUT = 5;

/** What became of each server, in a line, by `mcp NAME`. */
export function serverStatus(servers: McpServers | undefined): Readonly<Record<string, string>> {
  const reports = servers?.reports() ?? [];
  return Object.fromEntries(reports.map((report) => [`mcp ${report.server}`, statusLine(report)]));
}

/** A server's state in one line. */
export function statusLine(report: McpServerReport): string {
  const { state, error, name, version, transport, tools, leftOut, startMs, notes } = report;
  if (state === "disabled") return "disabled";
  if (state === "not_started") return `${transport}, not started`;
  if (error !== null) return `failed: ${error.message}${error.hint === undefined ? "" : ` (${error.hint})`}`;
  const named = [name, version].filter(Boolean).join(" ");
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  const missing = leftOut.slice(0, MAX_LEFT_OUT).map(({ tool, reason }) => `${tool} (${reason})`);
  if (leftOut.length > MAX_LEFT_OUT) missing.push(`${leftOut.length - MAX_LEFT_OUT} more`);
  const without = missing.length === 0 ? "" : `; left out: ${missing.join(", ")}`;
  return [`${named}, ${transport}, ${count}, ${startMs ?? 0} ms${without}`, ...notes].join("; ");
}
