import { nearest } from "@toycoder/core";
import type { Command } from "./command.ts";
import { tellError } from "./exit-code.ts";
import { parseFlags } from "./flags.ts";
import { commandHelp, overview } from "./help.ts";
import { CLOSED_STDOUT, Interruption, type Io, processIo } from "./io.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

/** Every command, each loaded when it is called. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import("./commands/run.ts")).run,
  tools: async () => (await import("./commands/tools.ts")).tools,
  check: async () => (await import("./commands/check.ts")).check,
  explain: async () => (await import("./commands/explain.ts")).explain,
};

/** Runs a command line to its exit code. Never rejects. */
export async function main(args: readonly string[]): Promise<number> {
  const io = processIo();
  const exitCode = await attempt(args, io);
  await drained(io);
  io.stdin.destroy();
  // The pipe may turn out to be closed only when the last lines are written.
  return stdoutClosed(io) ? CLOSED_STDOUT : exitCode;
}

async function attempt(args: readonly string[], io: Io): Promise<number> {
  try {
    return await start(args, io);
  } catch (thrown) {
    const error: unknown = io.signal.aborted ? io.signal.reason : thrown;
    const { exitCode, message, hint } = tellError(error);
    if (!stdoutClosed(io))
      io.stderr.write(`toycoder: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`);
    if (exitCode === 1 && io.env["TOYCODER_DEBUG"] && thrown instanceof Error)
      io.stderr.write(`${thrown.stack}\n`);
    return exitCode;
  }
}

async function start(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-V") return say(io, `${version()}\n`);
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const topic = name === "help" ? rest[0] : undefined;
    return say(
      io,
      topic === undefined ? await overview(COMMANDS) : commandHelp(topic, await commandOf(topic)),
    );
  }
  const command = await commandOf(name);
  if (wantsHelp(rest)) return say(io, commandHelp(name, command));
  return await command.run(parseFlags(rest, command.flags), io);
}

async function commandOf(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load !== undefined) return await load();
  if (name.startsWith("-"))
    throw new UsageError(`unknown flag ${name}`, "flags come after the command: toycoder run …");
  const [near] = nearest(name, Object.keys(COMMANDS), 1);
  const known = `commands are ${Object.keys(COMMANDS).join(", ")}`;
  throw new UsageError(
    `unknown command ${JSON.stringify(name)}`,
    near === undefined ? known : `did you mean ${near}?`,
  );
}

function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h");
}

function say(io: Io, text: string): number {
  io.stdout.write(text);
  return 0;
}

const stdoutClosed = ({ signal }: Io): boolean =>
  signal.reason instanceof Interruption && signal.reason.exitCode === CLOSED_STDOUT;

/** Resolves when everything written so far has left the process, or can't any more. */
async function drained({ stdout, stderr }: Io): Promise<void> {
  const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableEnded) return resolve();
      stream.once("close", resolve);
      stream.write("", () => resolve());
    });
  await Promise.all([flushed(stdout), flushed(stderr)]);
}
