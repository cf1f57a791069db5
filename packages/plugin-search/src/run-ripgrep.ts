import type { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ripgrepMissing } from "./ripgrep-path.ts";

export interface RipgrepRun {
  program: string;
  args: readonly string[];
  /** The folder that is searched; it exists. */
  cwd: string;
  signal: AbortSignal;
  timeoutMs: number;
  onOutput: (chunk: Buffer) => void;
  /** Told what ripgrep reports under `--debug`, a line at a time; it doesn't count among the errors. */
  onDebug?: (line: string) => void;
}

/** How a run ended. `code` is null where it was ended by a signal. */
export interface RipgrepEnd {
  code: number | null;
  timedOut: boolean;
  /** What it wrote to stderr, its start. */
  errors: string;
}

const MAX_ERRORS = 64 * 1024;

/**
 * Runs ripgrep in a process group of its own. Resolves when it has ended, also after the time limit; rejects with
 * the signal's reason, and with a ToolError `ripgrep_missing` where the program cannot be started. No process is
 * left in any case.
 */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { program, args, cwd, signal, timeoutMs, onOutput } = run;
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const end: RipgrepEnd = { code: null, timedOut: false, errors: "" };
  const stop = (): void => killGroup(child);
  const timer = setTimeout(() => {
    end.timedOut = true;
    stop();
  }, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    child.stdout.on("data", onOutput);
    const errors = createInterface({ input: child.stderr, crlfDelay: Number.POSITIVE_INFINITY });
    errors.on("line", (line) => {
      if (line.startsWith("rg: DEBUG|")) run.onDebug?.(line);
      else if (end.errors.length < MAX_ERRORS) end.errors += `${line}\n`;
    });
    end.code = await new Promise<number | null>((resolve, reject) => {
      child.once("close", resolve);
      child.once("error", (error) =>
        reject(ripgrepMissing(`ripgrep cannot be started: ${error.message}`, error)),
      );
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
  signal.throwIfAborted();
  return end;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
