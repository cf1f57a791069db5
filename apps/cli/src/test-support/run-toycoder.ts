import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The built command. */
export const BIN: string = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));

export interface Started {
  child: ChildProcess;
  done: Promise<Finished>;
}

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Options {
  cwd: string;
  env?: Record<string, string>;
  /** What stdin holds; without it, stdin is open and silent. */
  input?: string;
}

/** Starts the built command with an environment of its own: a home in `cwd`, no keys, no Ollama. */
export function startToycoder(args: readonly string[], { cwd, env = {}, input }: Options): Started {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cwd,
      TOYCODER_STATE_DIR: `${cwd}/.state`,
      // A port that nobody listens on.
      OLLAMA_HOST: "http://127.0.0.1:9",
      ...env,
    },
  });
  if (input !== undefined) child.stdin.end(input);
  child.stdin.on("error", () => {});
  const exited = new Promise<Pick<Finished, "code" | "signal">>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  const done = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(([end, stdout, stderr]) => {
    child.stdin.destroy();
    return { ...end, stdout, stderr };
  });
  return { child, done };
}

/** Runs the built command to its end. */
export const runToycoder = (args: readonly string[], options: Options): Promise<Finished> =>
  startToycoder(args, options).done;
