import { nearest } from "@toycoder/core";
import type { McpServerReport, McpServers } from "@toycoder/mcp";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { reportText } from "../mcp/report-text.ts";
import { startServers } from "../mcp/start-servers.ts";
import { SETUP_FLAGS, type SetUp, setUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import { callTool } from "./call-tool.ts";
import { objectArgument } from "./tool-argument.ts";

type Action = (servers: McpServers, ready: SetUp, flags: ParsedFlags, io: Io) => Promise<number>;
const ACTIONS = { list, test, call } satisfies Record<string, Action>;

export const mcp: Command = {
  usage: "[list | test [SERVER] | call SERVER TOOL JSON | serve]",
  summary: "the MCP servers of the config, and what they bring; serve offers our tools to an MCP host",
  words: [...Object.keys(ACTIONS), "serve"],
  details: `serve speaks the protocol at stdin and stdout: an MCP host starts it.
Exit codes of test: 9 a server did not come up; of call: 0 it succeeded, 6 it was refused, 9 it failed.
Example: toycoder mcp call docs search '{"query":"x"}' --yes`,
  flags: { ...SETUP_FLAGS, json: { help: "print JSON" } },
  async run(flags, io) {
    const action = flags.words[0] ?? "list";
    if (action === "serve") return await (await import("../mcp/serve.ts")).serve(flags, io);
    if (!Object.hasOwn(ACTIONS, action)) {
      const [near] = nearest(action, [...Object.keys(ACTIONS), "serve"], 1);
      throw new UsageError(
        `mcp has no ${action}`,
        near === undefined ? "it has list, test, call and serve" : `did you mean ${near}?`,
      );
    }
    const ready = await setUp(flags, io, { connect: () => false });
    try {
      if (ready.mcp === undefined) {
        if (action !== "list") throw noServer(flags.words[1], []);
        io.stdout.write(flags.has("json") ? "[]\n" : "the config has no mcpServers\n");
        return 0;
      }
      return await ACTIONS[action as keyof typeof ACTIONS](ready.mcp, ready, flags, io);
    } finally {
      await ready.dispose();
    }
  },
};

async function list(servers: McpServers, ready: SetUp, flags: ParsedFlags, io: Io): Promise<number> {
  await start(servers, ready, io);
  print(servers.reports(), flags, io);
  return 0;
}

async function test(servers: McpServers, ready: SetUp, flags: ParsedFlags, io: Io): Promise<number> {
  const name = flags.words[1];
  const all = servers.reports().map(({ server }) => server);
  if (name !== undefined && !all.includes(name)) throw noServer(name, all);
  const chosen = name === undefined ? all : [name];
  await start(servers, ready, io, chosen);
  const reports = servers.reports().filter(({ server }) => chosen.includes(server));
  print(reports, flags, io);
  const isUp = ({ state }: McpServerReport): boolean =>
    state === "ready" || (state === "disabled" && name === undefined);
  return reports.every(isUp) ? 0 : 9;
}

async function call(servers: McpServers, ready: SetUp, flags: ParsedFlags, io: Io): Promise<number> {
  const [, name, tool, json] = flags.words;
  const all = servers.reports().map(({ server }) => server);
  if (name === undefined || !all.includes(name)) throw noServer(name, all);
  if (tool === undefined) throw new UsageError("the name of the server's tool is missing");
  const args = objectArgument(json);
  await start(servers, ready, io, [name]);
  const report = servers.reports().find(({ server }) => server === name);
  if (report?.state !== "ready") {
    io.stderr.write(report === undefined ? "" : reportText([report]));
    return 9;
  }
  const found = report.tools.find((one) => one.tool === tool || one.name === tool);
  if (found === undefined) {
    const names = report.tools.map((one) => one.tool);
    const [near] = nearest(tool, names, 1);
    throw new UsageError(
      `the MCP server ${name} has no tool ${tool}`,
      near === undefined ? `it has ${names.join(", ")}` : `did you mean ${near}?`,
    );
  }
  return await callTool(found.name, args, ready, flags, io);
}

async function start(servers: McpServers, ready: SetUp, io: Io, only?: readonly string[]): Promise<void> {
  await startServers(servers, io, { tolerant: true, ...(only && { only }) });
  servers.register(ready.registry);
}

function print(reports: readonly McpServerReport[], flags: ParsedFlags, io: Io): void {
  io.stdout.write(flags.has("json") ? `${JSON.stringify(reports, null, 2)}\n` : reportText(reports));
}

function noServer(name: string | undefined, all: readonly string[]): UsageError {
  const known = all.length === 0 ? "the config has no mcpServers" : `servers are ${all.join(", ")}`;
  if (name === undefined) return new UsageError("the name of an MCP server is missing", known);
  const [near] = nearest(name, all, 1);
  return new UsageError(
    `there is no MCP server ${name}`,
    near === undefined ? known : `did you mean ${near}?`,
  );
}
