import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex, Readable } from "node:stream";
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { killFamily, type ProcessFamily, signalFamily } from "./process-family.ts";

export interface ProcessOptions {
  /** The program that reads the command: bash, or sh. */
  shell: string;
  command: string;
  /** A program, with its arguments, that runs the shell in a sandbox. */
  enclosure?: { readonly program: string; readonly args: readonly string[] } | undefined;
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

/** Runs the program of the arguments with one pipe for both streams, so that their order is the program's own. */
const MERGED = 'exec "$0" "$@" 2>&1';
/** The same in a sandbox, which dies with this process only once it has started: not before this process answers. */
const GREETED = 'echo >&3 && read -r _ <&3 && exec "$0" "$@" 2>&1 3>&-';

/** After KILL, how long a process may take to be gone, and a pipe to fall silent. */
const KILLED_MS = 1000;
const SILENCE_MS = 50;
const SILENT_ROUNDS = 4;

/**
 * Runs a command in a session of its own: no terminal, no input, stdout and stderr in one pipe. When it has ended,
 * or has been stopped, none of its descendants that can be found is left. Rejects where it cannot be started.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const { shell, command, enclosure, cwd, env, id, limitMs, graceMs, signal, onOutput } = options;
  const outer = env[CALL_VARIABLE];
  const started = performance.now();
  const [program, args] =
    enclosure === undefined
      ? ["/bin/sh", ["-c", MERGED, shell, "-c", "--", command]]
      : [enclosure.program, [...enclosure.args, "--", "/bin/sh", "-c", GREETED, shell, "-c", "--", command]];
  const child = spawn(program, args, {
    cwd,
    env: { ...env, [CALL_VARIABLE]: outer === undefined ? id : `${outer}:${id}` },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", ...(enclosure === undefined ? [] : ["pipe" as const])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  if (child.pid === undefined) {
    await ended;
    throw new Error("the shell could not be started");
  }
  const family: ProcessFamily = { leader: child.pid, id, enclosed: enclosure !== undefined };
  const complaint = firstText(child.stderr);
  const greeting = child.stdio[3] as Duplex | null | undefined;
  greeting?.on("error", () => {}).once("data", () => greeting.end("\n"));
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
    if (enclosure !== undefined && complaint.text !== "") throw new EnclosureError(complaint.text.trim());
    return { exitCode, signal: killedBy, durationMs, ...(stopped === undefined ? {} : { stopped }) };
  } finally {
    clearTimeout(limit);
    clearTimeout(killing);
    signal.removeEventListener("abort", cancel);
    process.off("exit", atExit);
    child.stdout.destroy();
    child.stderr.destroy();
    greeting?.destroy();
  }
}

/** The sandbox could not be made; the command did not run. */
export class EnclosureError extends Error {}

/** Keeps the start of what comes: all that the program of a sandbox itself says. */
function firstText(stream: Readable): { text: string } {
  const kept = { text: "" };
  stream.on("data", (chunk: Buffer) => {
    if (kept.text.length < 2000) kept.text += chunk.toString();
  });
  return kept;
}

/**
 * Reads a stream to its end. `finish` waits for the end, or until nothing has come for a while although there was
 * time to read it: a process that could not be found may hold the pipe open. What has come by then is never lost.
 */
function readOutput(stream: Readable, sink: ProcessOptions["onOutput"]): { finish: () => Promise<void> } {
  let chunks = 0;
  let busy = false;
  const isBusy = (): boolean => busy;
  let failure: unknown;
  const reading = (async () => {
    try {
      for await (const chunk of stream) {
        chunks++;
        busy = true;
        await sink(chunk as Buffer);
        busy = false;
      }
    } catch (error) {
      busy = false;
      failure = error;
    }
  })();
  return {
    async finish() {
      const until = performance.now() + KILLED_MS;
      for (let silent = 0; silent < SILENT_ROUNDS && (isBusy() || performance.now() < until);) {
        const before = chunks;
        const silence = delay(SILENCE_MS, "silence", { ref: false });
        if ((await Promise.race([reading, silence])) !== "silence") break;
        // A timer may be first where both are late: what waits in the pipe is read before silence counts.
        await setImmediate();
        silent = isBusy() || chunks !== before ? 0 : silent + 1;
      }
      if (failure !== undefined) throw failure;
    },
  };
}
