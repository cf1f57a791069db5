/** The outside of a command: streams, environment, and the signal of SIGINT, SIGTERM or a closed stdout. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Why nothing more can be written to stdout, once that is so. */
  lost(): Interruption | undefined;
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

/** Whether what stopped the command is an error that nobody caught. */
export const isDefect = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof Interruption);

/** The reader of stdout went away. */
export const CLOSED_STDOUT = 141;
/** A socket that is closed with something unread in it resets the connection. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["EPIPE", "ECONNRESET"]);
/** How long a command may take to stop after an error that nobody caught. */
const LAST_MS = 10_000;

/**
 * The process's own streams and signals. The first SIGINT or SIGTERM aborts `signal`; a second one ends the process
 * at once. An error that nobody caught, of a plugin's timer for instance, aborts it, too.
 */
export function processIo(): Io {
  const controller = new AbortController();
  const interrupt = (name: "SIGINT" | "SIGTERM", exitCode: number): void => {
    if (controller.signal.aborted) process.exit(exitCode);
    controller.abort(new Interruption(name, exitCode));
  };
  process.on("SIGINT", () => interrupt("SIGINT", 130));
  process.on("SIGTERM", () => interrupt("SIGTERM", 143));
  let lost: Interruption | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    lost ??= CLOSED.has(error.code)
      ? new Interruption("the closing of stdout", CLOSED_STDOUT)
      : new Interruption(`stdout, which cannot be written: ${error.message}`, 1);
    controller.abort(lost);
  });
  let last: NodeJS.Timeout | undefined;
  process.on("uncaughtException", (error) => {
    controller.abort(error);
    last ??= setTimeout(() => process.exit(1), LAST_MS).unref();
  });
  process.stderr.on("error", () => {});
  const { stdin, stdout, stderr, env } = process;
  const { signal } = controller;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), signal, lost: () => lost };
}
