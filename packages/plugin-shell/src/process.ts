import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { killFamily, type ProcessFamily, signalFamily } from "./process-family.ts";

export interface ProcessOptions {
  /** The program that reads the command: bash, or sh. */
  shell: string;
  command: string;
  /** The folder to run in, absolute. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Unique for this process: how its descendants are recognised. Joined to TOYCODER_CALL of `env`. */
  id: string;
  /** Milliseconds until TERM, and from TERM to KILL. */
  limitMs: number;
  graceMs: number;
  signal: AbortSignal;
  /** Gets stdout and stderr in their order. The process waits while a promise is pending. */
  onOutput: (chunk: Buffer) => void | Promise<void>;
}

export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  durationMs: number;
  /** Why it was stopped from outside, where it was. */
  stopped?: "timeout" | "cancelled";
}

/** The variable that marks the descendants of a command. */
export const CALL_VARIABLE = "TOYCODER_CALL";

/** After KILL, how long a process may take to be gone, and a pipe to fall silent. */
const KILLED_MS = 1000;
const SILENCE_MS = 50;

/**
 * Runs a command in a session of its own: no terminal, no input, stdout and stderr in one pipe. When it has ended,
 * or has been stopped, none of its descendants that can be found is left. Rejects where it cannot be started.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { shell, command, cwd, env, id, limitMs, graceMs, signal, onOutput } = options;
  const outer = env[CALL_VARIABLE];
  const started = performance.now();
  // One pipe for both streams, so that their order is the program's own.
  const child = spawn("/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', shell, "-c", "--", command], {
    cwd,
    env: { ...env, [CALL_VARIABLE]: outer === undefined ? id : `${outer}:${id}` },
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  if (child.pid === undefined) {
    await ended;
    throw new Error("the shell could not be started");
  }
  const family: ProcessFamily = { leader: child.pid, id };
  const atExit = (): void => signalFamily(family, "SIGKILL");
  process.once("exit", atExit);

  let stopped: ProcessEnd["stopped"];
  let killing: NodeJS.Timeout | undefined;
  const stop = (why: "timeout" | "cancelled"): void => {
    if (stopped !== undefined) return;
    stopped = why;
    signalFamily(family, "SIGTERM");
    killing = setTimeout(() => signalFamily(family, "SIGKILL"), graceMs);
  };
  const cancel = (): void => stop("cancelled");
  const limit = setTimeout(() => stop("timeout"), limitMs);
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });

  const output = readOutput(child.stdout, onOutput);
  try {
    const [exitCode, killedBy] = await ended;
    clearTimeout(limit);
    await killFamily(family, graceMs);
    await output.finish();
    const durationMs = performance.now() - started;
    return { exitCode, signal: killedBy, durationMs, ...(stopped === undefined ? {} : { stopped }) };
  } finally {
    clearTimeout(limit);
    clearTimeout(killing);
    signal.removeEventListener("abort", cancel);
    process.off("exit", atExit);
    child.stdout.destroy();
  }
}

/** Reads a stream to its end; `finish` waits no longer than for the stream to fall silent. */
function readOutput(stream: Readable, sink: ProcessOptions["onOutput"]): { finish: () => Promise<void> } {
  let chunks = 0;
  let failure: unknown;
  const reading = (async () => {
    try {
      for await (const chunk of stream) {
        chunks++;
        await sink(chunk as Buffer);
      }
    } catch (error) {
      failure = error;
    }
  })();
  return {
    async finish() {
      const until = performance.now() + KILLED_MS;
      for (let before = -1; before !== chunks && performance.now() < until;) {
        before = chunks;
        const silence = delay(SILENCE_MS, "silence", { ref: false });
        if ((await Promise.race([reading, silence])) !== "silence") break;
      }
      if (failure !== undefined) throw failure;
    },
  };
}
