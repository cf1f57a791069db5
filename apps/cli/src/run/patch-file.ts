import { closeSync, openSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Patch, RunResult } from "@toycoder/agent";
import { messageOf } from "@toycoder/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import type { Notices } from "./notices.ts";

/** The file of `--patch`. */
export interface PatchFile {
  /** Writes the patch; a result that says "completed" says no longer so where that fails. */
  complete(result: RunResult, make: () => Patch, notices: Notices): RunResult;
  close(): void;
}

/** Empties the file at once, so that no older patch is taken for this run's. Throws a UsageError. */
export function openPatch(file: string | undefined, io: Io): PatchFile | undefined {
  if (file === undefined) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path.resolve(io.cwd, file), "w");
  } catch (error) {
    throw new UsageError(`--patch: ${messageOf(error)}`);
  }
  return {
    complete(result, make, notices) {
      try {
        const { bytes, leftOut } = make();
        writeFileSync(descriptor, bytes);
        if (leftOut.length === 0) return result;
        const names = leftOut.join(", ");
        notices.tell("patch_incomplete", `--patch: outside of the workspace, so not in the patch: ${names}`);
        return result;
      } catch (error) {
        const message = `--patch: ${messageOf(error)}`;
        notices.tell("patch_failed", message);
        if (result.exitCode !== 0) return result;
        return { ...result, status: "internal_error", exitCode: 1, error: { code: "patch_failed", message } };
      }
    },
    close: () => closeSync(descriptor),
  };
}
