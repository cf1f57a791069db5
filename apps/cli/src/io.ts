/** The outside of a command: streams, environment, and the signal of SIGINT, SIGTERM or a closed stdout. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Why a run was stopped from outside, and the exit code that says so. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(reason: string, exitCode: number) {
    super(`stopped by ${reason}`);
    this.name = "Interruption";
    this.exitCode = exitCode;
  }
}

/** The reader of stdout went away. */
export const CLOSED_STDOUT = 141;

/**
 * The process's own streams and signals. The first SIGINT or SIGTERM aborts `signal`; a second one ends the process
 * at once.
 */
export function processIo(): Io {
  const controller = new AbortController();
  const interrupt = (name: "SIGINT" | "SIGTERM", exitCode: number): void => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Interruption(name, exitCode));
  };
  process.on("SIGINT", () => interrupt("SIGINT", 130));
  process.on("SIGTERM", () => interrupt("SIGTERM", 143));
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    controller.abort(new Interruption("the closing of stdout", CLOSED_STDOUT));
  });
  process.stderr.on("error", () => {});
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal: controller.signal };
}
