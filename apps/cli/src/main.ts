import { nearest } from "@toycoder/core";
import type { Command } from "./command.ts";
import { tellError } from "./exit-code.ts";
import { parseFlags } from "./flags.ts";
import { CLOSED_STDOUT, type Io, isDefect, processIo } from "./io.ts";
import { plainText } from "./render/plain-text.ts";
import { UsageError } from "./usage-error.ts";
import { version } from "./version.ts";

/** Every command, each loaded when it is called. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import("./commands/run.ts")).run,
  chat: async () => (await import("./commands/chat.ts")).chat,
  tools: async () => (await import("./commands/tools.ts")).tools,
  init: async () => (await import("./commands/init.ts")).init,
  check: async () => (await import("./commands/check.ts")).check,
  sessions: async () => (await import("./commands/sessions.ts")).sessions,
  undo: async () => (await import("./commands/undo.ts")).undo,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  explain: async () => (await import("./commands/explain.ts")).explain,
  plugin: async () => (await import("./commands/plugin.ts")).plugin,
  create: async () => (await import("./commands/create.ts")).create,
  completions: async () => (await import("./commands/completions.ts")).completions(COMMANDS),
};

/** Runs a command line to its exit code. Never rejects. */
export async function main(args: readonly string[]): Promise<number> {
  const io = processIo();
  const exitCode = await attempt(args, io);
  // A reader that has stopped reading holds the process up, but no signal.
  io.signal.addEventListener("abort", () => {
    if (io.lost() === undefined) process.exit(tellError(io.signal.reason).exitCode);
  });
  await drained(io.stdout);
  // That stdout is closed, or its disk full, may turn out only when the last lines are written.
  const lost = io.lost();
  if (lost !== undefined && lost.exitCode !== CLOSED_STDOUT) io.stderr.write(`toycoder: ${lost.message}\n`);
  await drained(io.stderr);
  io.stdin.destroy();
  return lost?.exitCode ?? exitCode;
}

async function attempt(args: readonly string[], io: Io): Promise<number> {
  try {
    const exitCode = await start(args, io);
    if (isDefect(io.signal)) throw io.signal.reason;
    return exitCode;
  } catch (thrown) {
    const error: unknown = io.signal.aborted ? io.signal.reason : thrown;
    const { exitCode, message, hint } = tellError(error);
    if (io.lost() === undefined)
      io.stderr.write(plainText(`toycoder: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`));
    if (exitCode === 1 && io.env["TOYCODER_DEBUG"] && thrown instanceof Error)
      io.stderr.write(`${thrown.stack}\n`);
    return exitCode;
  }
}

async function start(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-V") return say(io, `${version()}\n`);
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return await help(name === "help" ? rest[0] : undefined, io);
  }
  const command = await commandOf(name);
  if (wantsHelp(rest)) return await help(name, io);
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

/** Prints the help of a command, or of all, at the width of the terminal where there is one. */
async function help(topic: string | undefined, io: Io): Promise<number> {
  const { commandHelp, overview } = await import("./help.ts");
  const columns = io.stdout.isTTY && io.stdout.columns > 0 ? io.stdout.columns : undefined;
  if (topic === undefined) return say(io, await overview(COMMANDS, columns));
  return say(io, commandHelp(topic, await commandOf(topic), columns));
}

function say(io: Io, text: string): number {
  io.stdout.write(text);
  return 0;
}

/** Resolves when everything written so far has left the process, or can't any more. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) return resolve();
    stream.once("close", resolve);
    stream.write("", () => resolve());
  });
}
