import type { RunResult } from "@toycoder/agent";
import { allowFlag } from "./annotations.ts";
import { describeCall } from "./describe-call.ts";
import type { FailedCommand } from "./failed-commands.ts";
import { codeCell, cutBytes, fitLines, quoted } from "./markdown.ts";

/** The most that GitHub takes of one step ("Workflow commands for GitHub Actions", "Step isolation and limits"). */
export const SUMMARY_BYTES: number = 1024 * 1024;

/** Rows of one table; more are counted. */
const ROWS = 300;

/** A run as Markdown, with nothing in it that a model, a file name or a task could give another meaning. */
export function stepSummary(
  task: string,
  result: RunResult,
  failed: readonly FailedCommand[],
  bytes: number,
): string {
  const { status, exitCode, error, changes, denials, text } = result;
  const good = exitCode === 0;
  const lines = [`### ToyCoder: ${status}${good ? "" : ` (exit ${exitCode})`}`, ""];
  if (task.trim() !== "") lines.push(...quoted(cutBytes(task, 4000)), "");
  if (error !== null) {
    lines.push(`**${codeCell(error.code)}** ${codeCell(error.message)}`, "");
    if (error.hint !== undefined) lines.push(codeCell(error.hint), "");
  }
  lines.push(...table(["", ""], facts(result)));
  lines.push(
    ...section(
      "Changed files",
      ["file", "", "+", "-"],
      changes.map(({ path, kind, additions, deletions }) => [
        codeCell(path),
        kind,
        `${additions}`,
        `${deletions}`,
      ]),
    ),
    ...section(
      "Refused calls",
      ["call", "why", "to permit it"],
      denials.map(({ tool, arguments: given, code, rule, suggestions }) => [
        codeCell(describeCall(tool, given)),
        codeCell(rule === null ? code : `${code} by ${rule}`),
        codeCell(suggestions.map(allowFlag).join(" ")),
      ]),
    ),
    ...section(
      "Commands whose last run failed",
      ["command", "end"],
      failed.map(({ command, end }) => [codeCell(command), codeCell(end)]),
    ),
  );
  if (text.trim() !== "") lines.push("#### Answer", "", ...quoted(cutBytes(text, bytes)), "");
  return fitLines(lines, bytes, "_The rest is left out: GitHub takes no more._")
    .map((line) => `${line}\n`)
    .join("");
}

function facts({ model, turns, toolCalls, durationMs, usage, sessionId }: RunResult): string[][] {
  const { inputTokens, outputTokens, cacheReadTokens, costUsd } = usage;
  const cached = cacheReadTokens === 0 ? "" : ` (${cacheReadTokens} from the cache)`;
  return [
    ["model", codeCell(model)],
    ["turns, tool calls", `${turns}, ${toolCalls}`],
    ["duration", `${(durationMs / 1000).toFixed(1)} s`],
    ["tokens", `${inputTokens} in${cached}, ${outputTokens} out`],
    ["cost", costUsd === null ? "not known" : `$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`],
    ["session", codeCell(sessionId)],
  ].filter(([, value]) => value !== "");
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > ROWS ? [`and ${rows.length - ROWS} more`, ""] : [];
  return [`#### ${title} (${rows.length})`, "", ...table(head, rows.slice(0, ROWS)), ...more];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  row(head),
  row(head.map(() => "---")),
  ...rows.map(row),
  "",
];

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
