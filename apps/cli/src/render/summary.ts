import type { RunResult } from "@toycoder/agent";
import type { Usage } from "@toycoder/core";
import { describeArguments } from "./call-text.ts";
import type { Paint } from "./paint.ts";

/** How a run ended, in lines: status and counts, the error, the changed files, the refused calls. */
export function summaryLines(result: RunResult, paint: Paint): string[] {
  const good = result.exitCode === 0;
  const head = `${result.status}${good ? "" : ` (exit ${result.exitCode})`}`;
  return [
    `${good ? paint.green(head) : paint.red(head)} ${paint.dim(`after ${countsText(result)}`)}`,
    ...errorLines(result, paint),
    ...changeLines(result, paint),
    ...denialLines(result),
  ];
}

/** What a run that did not end well has to say; nothing of one that did. */
export function failureLines(result: RunResult, paint: Paint): string[] {
  const { status, exitCode } = result;
  if (exitCode === 0) return [];
  const head = paint.red(`${status} (exit ${exitCode})`);
  return [head, ...errorLines(result, paint), ...denialLines(result)];
}

/** As in `2 turns, 1 call, 3.4 s, 1200 tokens in, 80 out, $0.0100`. */
export function countsText({ turns, toolCalls, durationMs, usage }: RunResult): string {
  const time = `${(durationMs / 1000).toFixed(1)} s`;
  return [plural(turns, "turn"), plural(toolCalls, "call"), time, tokensText(usage, usage.costUsd)].join(
    ", ",
  );
}

export const tokensText = (
  { inputTokens, outputTokens }: Pick<Usage, "inputTokens" | "outputTokens">,
  costUsd: number | null,
): string =>
  `${inputTokens} tokens in, ${outputTokens} out${costUsd === null ? "" : `, ${costText(costUsd)}`}`;

export function costText(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "under $0.0001";
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

export function errorLines({ error }: RunResult, paint: Paint): string[] {
  if (error === null) return [];
  return [`  ${paint.red(error.message)}`, ...(error.hint === undefined ? [] : [`  ${error.hint}`])];
}

export const changeLines = ({ changes }: RunResult, paint: Paint): string[] =>
  changes.map(
    ({ path, kind, additions, deletions }) =>
      `  ${kind} ${path} ${paint.green(`+${additions}`)} ${paint.red(`-${deletions}`)}`,
  );

const denialLines = ({ denials }: RunResult): string[] =>
  denials.map(({ tool, arguments: args, code, rule, suggestions }) => {
    const why = rule === null ? code : `${code} by ${rule}`;
    const rules = suggestions.map((one) => `--allow '${one}'`).join(" ");
    return `  refused ${tool} ${describeArguments(args)}: ${why}${rules === "" ? "" : `; it would need ${rules}`}`;
  });

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
