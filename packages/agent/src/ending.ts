import { type ErrorInfo, errorInfo, isModelError, isSetupError, messageOf } from "@toycoder/core";
import type { Denial, RunStatus } from "./result.ts";

/** How a run ends. */
export interface Ending {
  status: RunStatus;
  error?: ErrorInfo;
}

const LACKING: ReadonlySet<string> = new Set(["approval_required", "tool_disabled"]);

/** The ending for calls that the config has no rule for; undefined where there are none. A denial by rule is none. */
export function deniedEnding(denials: readonly Denial[]): Ending | undefined {
  const tools = new Set(denials.filter(({ code }) => LACKING.has(code)).map(({ tool }) => tool));
  if (tools.size === 0) return undefined;
  const message = `the config lacks a rule for calls of ${[...tools].join(", ")}`;
  return { status: "denied", error: errorInfo("approval_required", message, "see denials for the rules") };
}

/** The ending for what was thrown while nobody had stopped the run. */
export function failedEnding(error: unknown): Ending {
  if (isModelError(error))
    return { status: "provider_error", error: errorInfo(error.kind, error.message, error.hint) };
  if (isSetupError(error))
    return { status: "config_error", error: errorInfo(error.code, error.message, error.hint) };
  return { status: "internal_error", error: errorInfo("internal_error", messageOf(error)) };
}

export const REFUSED: Ending = {
  status: "provider_error",
  error: errorInfo("refused", "the model refused the task"),
};

export const CUT_OFF: Ending = {
  status: "limit",
  error: errorInfo("output_limit", "the model's answer was cut off at its output limit"),
};

export const EMPTY: Ending = {
  status: "provider_error",
  error: errorInfo("empty_answer", "the model answered with nothing, twice"),
};

export const CANCELLED: Ending = {
  status: "cancelled",
  error: errorInfo("cancelled", "the run was stopped"),
};
