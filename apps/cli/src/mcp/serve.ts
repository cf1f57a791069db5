import { setTimeout as delay } from "node:timers/promises";
import type { SetUpPlugin } from "@toycoder/config";
import type { Session, ToolRegistry } from "@toycoder/core";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { type SetUp, setUp, statusOf } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import { takeStdout } from "./serve-stdout.ts";

/** How long what a plugin has left running may hold the process up after the end. */
const LAST_MS = 3000;
/** How long the last answers may take to be read. */
const FLUSH_MS = 1000;

/** Offers the config's tools to the MCP host at stdin and stdout, until it goes or a signal comes. */
export async function serve(flags: ParsedFlags, io: Io): Promise<number> {
  const [, extra] = flags.words;
  if (extra !== undefined)
    throw new UsageError(`serve takes no ${JSON.stringify(extra)}`, "toycoder mcp serve");
  const write = takeStdout(io);
  const ready = await setUp(flags, io);
  try {
    await talk(ready, write, flags, io);
  } finally {
    await ready.dispose();
  }
  setTimeout(() => process.exit(), LAST_MS).unref();
  io.signal.throwIfAborted();
  return 0;
}

async function talk(
  ready: SetUp,
  write: (text: string, done: () => void) => void,
  flags: ParsedFlags,
  io: Io,
): Promise<void> {
  const { HostTransport, ToolServer } = await import("@toycoder/mcp/serve");
  const tell = (line: string): void => void io.stderr.write(`toycoder: ${line}\n`);
  for (const [name, state] of Object.entries(statusOf(ready))) tell(`${name}: ${state}`);
  const server = new ToolServer({
    info: { name: "toycoder", version: version() },
    openSession: (ask) => withoutAgent(ready.openSession({ ask })),
    instructions: instructionsOf(ready),
    alias: ready.loaded.config.tools.alias,
    approvals: !flags.has("yes"),
    onProblem: tell,
  });
  const transport = new HostTransport({ input: io.stdin, write });
  const stop = (): void => void server.close();
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    await server.connect(transport);
    if (io.signal.aborted) stop();
    await server.closed;
    // A host that has gone may have left its end open, and never read it.
    await Promise.race([transport.flushed(), delay(FLUSH_MS, undefined, { ref: false })]);
  } finally {
    io.signal.removeEventListener("abort", stop);
    server.session.dispose();
  }
}

/** The agent's own tools need a run around them. */
function withoutAgent(session: Session): Session {
  const { registry }: { registry: ToolRegistry } = session;
  for (const { name } of registry.list({ includeDeprecated: true })) {
    if (registry.origin(name).plugin === "agent") registry.unregister(name);
  }
  return session;
}

function instructionsOf({ plugins, workspace }: SetUp): string {
  const own = plugins.flatMap(({ parts }: SetUpPlugin) => parts.instructions ?? []);
  return [`The workspace is ${workspace.root}; paths are relative to it.`, ...own].join("\n\n");
}
