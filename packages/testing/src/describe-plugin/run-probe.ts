import { fork } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { tempWorkspace } from "../temp-workspace.ts";

/** What a process reported and printed; or how it ended without a report. */
export type Probed<T> = { report: T; output: string } | { failed: string; output: string };

/** How a module is run in a process of its own. */
export interface ProbeOptions {
  /** Default: those of this process. */
  execArgv?: readonly string[];
  limitMs?: number;
  signal?: AbortSignal;
}

/**
 * Runs a module in a process of its own, in an empty folder that is also its home, and waits for what it sends. Its
 * argument is that folder and `task`, as JSON.
 */
export async function runProbe<T>(
  program: URL,
  task: object,
  { execArgv = process.execArgv, limitMs = 20_000, signal }: ProbeOptions = {},
): Promise<Probed<T>> {
  using folder = tempWorkspace();
  const child = fork(fileURLToPath(program), [JSON.stringify({ ...task, folder: folder.root })], {
    cwd: folder.root,
    execArgv: [...execArgv, "--no-warnings"],
    env: { PATH: process.env["PATH"], HOME: folder.root, TMPDIR: folder.root },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    timeout: limitMs,
    killSignal: "SIGKILL",
    ...(signal && { signal }),
  });
  let report: T | undefined;
  child.on("message", (message) => (report = message as T));
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [code, stdout, stderr] = await Promise.all([
    closed,
    child.stdout === null ? "" : text(child.stdout),
    child.stderr === null ? "" : text(child.stderr),
  ]);
  const output = stdout + stderr;
  if (report !== undefined) return { report, output };
  const failed =
    code === null
      ? `it did not end within ${limitMs / 1000} s`
      : `it ended the process with exit code ${code}`;
  return { failed, output };
}
