import { closeSync, openSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { RunResult } from "@toycoder/agent";
import { messageOf } from "@toycoder/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** The file of `--result`. */
export interface ResultFile {
  /** Writes the result; one that says "completed" says no longer so where that fails. */
  complete(result: RunResult): RunResult;
}

/** Empties the file at once, so that no older result is taken for this run's. Throws a UsageError. */
export function openResult(file: string | undefined, io: Io): ResultFile | undefined {
  if (file === undefined) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path.resolve(io.cwd, file), "w");
  } catch (error) {
    throw new UsageError(`--result: ${messageOf(error)}`);
  }
  return {
    complete(result) {
      try {
        writeFileSync(descriptor, `${JSON.stringify(result, null, 2)}\n`);
        return result;
      } catch (error) {
        const told = { code: "result_failed", message: `--result: ${messageOf(error)}` };
        return result.exitCode !== 0
          ? result
          : { ...result, status: "internal_error", exitCode: 1, error: told };
      } finally {
        closeSync(descriptor);
      }
    },
  };
}
