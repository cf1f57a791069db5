// `pnpm bench mcp [--out FILE]`: how long three servers take to start side by side, and calls per second, beside the
// bare client of the SDK.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createPolicy, createSession, createWorkspace, dispatch, ToolRegistry } from "@toycoder/core";
import { McpServers } from "@toycoder/mcp";
import { median, report, reportFile, type Table } from "../report.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const ROUNDS = 7;
/** Short and many, in turn: what else the machine does meets all of them. */
const CALL_ROUNDS = 40;
const ROUND_MS = 100;
const { resolve } = createRequire(import.meta.url);
const server = (name: string, ...args: string[]): { command: string; args: string[] } => {
  const folder = path.dirname(resolve(`@modelcontextprotocol/${name}/package.json`));
  return { command: process.execPath, args: [path.join(folder, "dist/index.js"), ...args] };
};
const root = mkdtempSync(path.join(tmpdir(), "toycoder-bench-mcp-"));
const SERVERS = {
  everything: server("server-everything", "stdio"),
  files: server("server-filesystem", root),
  memory: server("server-memory"),
};

async function bare(parameters: { command: string; args: string[] }): Promise<Client> {
  const client = new Client({ name: "bench", version: "0" });
  await client.connect(new StdioClientTransport({ ...parameters, stderr: "ignore" }));
  await client.listTools();
  return client;
}

function ours(): { servers: McpServers; registry: ToolRegistry } {
  const workspace = createWorkspace({ root });
  const servers = new McpServers(SERVERS, {
    workspace,
    env: process.env,
    client: { name: "bench", version: "0" },
  });
  return { servers, registry: new ToolRegistry() };
}

async function timed(start: () => Promise<() => Promise<unknown>>): Promise<number> {
  const began = performance.now();
  const stop = await start();
  const took = performance.now() - began;
  await stop();
  return took;
}

const starts = new Map<string, number[]>();
const note = (name: string, ms: number): void => void starts.set(name, [...(starts.get(name) ?? []), ms]);
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, parameters] of Object.entries(SERVERS)) {
    const ms = await timed(async () => {
      const client = await bare(parameters);
      return () => client.close();
    });
    note(`SDK client, ${name} alone`, ms);
  }
  const together = await timed(async () => {
    const clients = await Promise.all(Object.values(SERVERS).map(bare));
    return () => Promise.all(clients.map((client) => client.close()));
  });
  note("SDK client, all three", together);
  const ms = await timed(async () => {
    const { servers, registry } = ours();
    await servers.start();
    servers.register(registry);
    return () => servers.close();
  });
  note("ToyCoder, all three", ms);
}

const client = await bare(SERVERS.everything);
const { servers, registry } = ours();
await servers.start();
servers.register(registry);
const policy = createPolicy({ root, levels: { sensitive: "allow" } });
const session = createSession({ registry, policy, workspace: createWorkspace({ root }) });
const CALLERS = {
  "SDK client": async () => void (await client.callTool({ name: "echo", arguments: { message: "x" } })),
  ToyCoder: async () => {
    const result = await dispatch(
      { id: "c", name: "everything__echo", arguments: '{"message":"x"}' },
      session,
    );
    if (!result.ok) throw new Error(result.error.message);
  },
};

async function callsPerSecond(call: () => Promise<void>, width: number): Promise<number> {
  const began = performance.now();
  let calls = 0;
  while (performance.now() - began < ROUND_MS) {
    await Promise.all(Array.from({ length: width }, call));
    calls += width;
  }
  return (calls * 1000) / (performance.now() - began);
}

const figures = new Map<string, number[]>();
for (let round = -5; round < CALL_ROUNDS; round++) {
  for (const [name, call] of Object.entries(CALLERS)) {
    for (const width of [1, 8]) {
      const rate = await callsPerSecond(call, width);
      const key = `${name}, ${width} at once`;
      if (round >= 0) figures.set(key, [...(figures.get(key) ?? []), rate]);
    }
  }
}
await Promise.all([client.close(), servers.close()]);
session.dispose();
rmSync(root, { recursive: true });

const tableOf = (what: string, unit: string, rows: ReadonlyMap<string, number[]>): Table => ({
  head: [what, `${unit}, median`, "min", "max"],
  rows: [...rows].map(([name, each]) => [
    name,
    ...[median(each), Math.min(...each), Math.max(...each)].map(Math.round),
  ]),
});
report(
  reportFile("mcp", values.out),
  `${ROUNDS} rounds of starts and ${CALL_ROUNDS} of calls, in turn`,
  [tableOf("start", "ms", starts), tableOf("calls", "per second", figures)],
  { starts: Object.fromEntries(starts), calls: Object.fromEntries(figures) },
);
