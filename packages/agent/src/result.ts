import type { ErrorInfo, Usage } from "@toycoder/core";

/** How a run ended. */
export type RunStatus =
  | "completed"
  | "limit"
  | "denied"
  | "provider_error"
  | "output_invalid"
  | "cancelled"
  | "config_error"
  | "mcp_error"
  | "internal_error";

/** A call that was turned away, and the rule that would let it through (null where no single rule can). */
export interface Denial {
  tool: string;
  arguments: unknown;
  code: string;
  rule: string | null;
  suggestion: string | null;
  /** The rules that would let it through together. */
  suggestions: readonly string[];
}

/** The net change of one file over the run; lines are counted as in a unified diff. */
export interface ChangeSummary {
  path: string;
  kind: "created" | "modified" | "deleted";
  additions: number;
  deletions: number;
}

/** How a run ended: the object that `--output json` prints, and the last line of `stream-json`. */
export interface RunResult {
  schemaVersion: 1;
  status: RunStatus;
  exitCode: number;
  text: string;
  output: unknown;
  error: ErrorInfo | null;
  denials: readonly Denial[];
  changes: readonly ChangeSummary[];
  /** Of all turns that were answered. `costUsd` is null where there are none, or one of unknown price. */
  usage: Usage & { costUsd: number | null };
  turns: number;
  toolCalls: number;
  durationMs: number;
  model: string;
  sessionId: string;
}

const EXIT_CODES: Readonly<Record<RunStatus, number>> = {
  completed: 0,
  internal_error: 1,
  config_error: 3,
  provider_error: 4,
  output_invalid: 5,
  denied: 6,
  limit: 7,
  mcp_error: 8,
  cancelled: 130,
};

/** The exit code of an outcome. A cancelled run takes the one that its abort reason names (`exitCode`), else 130. */
export function exitCodeOf(status: RunStatus, abortReason?: unknown): number {
  if (
    status === "cancelled" &&
    typeof abortReason === "object" &&
    abortReason !== null &&
    "exitCode" in abortReason
  ) {
    const { exitCode } = abortReason;
    if (typeof exitCode === "number") return exitCode;
  }
  return EXIT_CODES[status];
}

/** A result for a run that ended before the agent began: nothing was done. */
export function emptyResult(status: RunStatus, error: ErrorInfo | null, model = ""): RunResult {
  return {
    schemaVersion: 1,
    status,
    exitCode: exitCodeOf(status),
    text: "",
    output: null,
    error,
    denials: [],
    changes: [],
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      costUsd: null,
    },
    turns: 0,
    toolCalls: 0,
    durationMs: 0,
    model,
    sessionId: "",
  };
}
