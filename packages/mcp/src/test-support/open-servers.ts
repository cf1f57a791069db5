import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type Ask,
  createPolicy,
  createSession,
  createWorkspace,
  dispatch,
  type DispatchEvent,
  type Session,
  textOf,
  ToolRegistry,
  type ToolResult,
} from "@toycoder/core";
import { type McpServerConfig, type McpServerLine, McpServers } from "../index.ts";

const SCRIPT = fileURLToPath(new URL("faulty-server.ts", import.meta.url));

/** A server of the kit; each has a mark in its arguments by which what is left of it can be found. */
export interface Faulty {
  config: McpServerConfig;
  mark: string;
  /** What it has noted: starts, calls, cancellations. */
  notes: () => string[];
}

export interface Opened extends AsyncDisposable {
  servers: McpServers;
  registry: ToolRegistry;
  session: Session;
  lines: McpServerLine[];
  folder: string;
  call: (
    name: string,
    args?: object,
    options?: { signal?: AbortSignal; observe?: (event: DispatchEvent) => void },
  ) => Promise<ToolResult>;
  say: (name: string, args?: object) => Promise<string>;
}

export const temporaryFolder = (): string => mkdtempSync(path.join(tmpdir(), "toycoder-mcp-"));

export function faulty(flags: readonly string[] = [], config: McpServerConfig = {}): Faulty {
  const mark = `--mark=${randomUUID()}`;
  const file = path.join(temporaryFolder(), "notes");
  return {
    mark,
    config: { command: process.execPath, args: [SCRIPT, mark, `--notes=${file}`, ...flags], ...config },
    notes: () => {
      try {
        return readFileSync(file, "utf8").split("\n").filter(Boolean);
      } catch {
        return [];
      }
    },
  };
}

const notesFolder = ({ args = [] }: McpServerConfig): string[] =>
  args.flatMap((arg) => (arg.startsWith("--notes=") ? [path.dirname(arg.slice("--notes=".length))] : []));

/** Starts servers, with everything allowed, in a temporary workspace. */
export async function openServers(
  configs: Record<string, McpServerConfig>,
  { ask, env = process.env }: { ask?: Ask; env?: NodeJS.ProcessEnv } = {},
): Promise<Opened> {
  const folder = temporaryFolder();
  const workspace = createWorkspace({ root: folder });
  const registry = new ToolRegistry();
  const servers = new McpServers(configs, { workspace, env, client: { name: "test", version: "0" } });
  const lines: McpServerLine[] = [];
  servers.observe((line) => lines.push(line));
  try {
    await servers.start();
  } catch (error) {
    await servers.close();
    throw error;
  }
  servers.register(registry);
  const policy = createPolicy({ root: workspace.root, levels: { sensitive: "allow", dangerous: "allow" } });
  const session = createSession({ registry, policy, workspace, ...(ask && { ask }) });
  const call: Opened["call"] = async (name, args = {}, options = {}) =>
    await dispatch({ id: randomUUID(), name, arguments: { ...args } }, session, options);
  return {
    servers,
    registry,
    session,
    lines,
    folder,
    call,
    say: async (name, args) => textOf((await call(name, args)).content),
    [Symbol.asyncDispose]: async () => {
      await servers.close();
      session.dispose();
      for (const one of [folder, ...Object.values(configs).flatMap(notesFolder)])
        rmSync(one, { recursive: true, force: true });
    },
  };
}

/** The processes that have `mark` among their arguments and are no zombies. */
export function processesWith(mark: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        const alive = !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
        return pid > 0 && alive && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(mark);
      } catch {
        return false;
      }
    });
}

/** Resolves when the condition holds; for what happens in another process. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(5);
}
