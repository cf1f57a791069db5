import { emptyResult, type RunResult } from "@toycoder/agent";
import { tellError } from "../exit-code.ts";
import { type Io, isDefect } from "../io.ts";

const STATUS_OF_EXIT: Readonly<Record<number, RunResult["status"]>> = {
  3: "config_error",
  4: "provider_error",
  8: "mcp_error",
};

/** The result of a run that was over before the agent began, or that could not be kept. */
export function failedResult(error: unknown, { signal }: Io): RunResult {
  const { exitCode, ...told } = tellError(signal.aborted ? signal.reason : error);
  const stopped = signal.aborted && !isDefect(signal);
  const status = stopped ? "cancelled" : (STATUS_OF_EXIT[exitCode] ?? "internal_error");
  return { ...emptyResult(status, told), exitCode };
}

/** A run that an error stopped which nobody caught was not cancelled by anyone. */
export function withDefect(result: RunResult, { signal }: Io): RunResult {
  if (!isDefect(signal)) return result;
  const { exitCode, ...error } = tellError(signal.reason);
  return { ...result, status: "internal_error", exitCode, error };
}
