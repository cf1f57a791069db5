import { nearest, type Tool } from "@toycoder/core";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { plainText } from "../render/plain-text.ts";
import { SETUP_FLAGS, type SetUp, setUp } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";
import { callTool } from "./call-tool.ts";
import { objectArgument, toolOf } from "./tool-argument.ts";

const ACTIONS = { list, show, search, call } satisfies Record<string, Action>;
type Action = (ready: SetUp, flags: ParsedFlags, io: Io) => Promise<number> | number;

export const tools: Command = {
  usage: "[list | show TOOL | search WORDS | call TOOL JSON]",
  words: Object.keys(ACTIONS),
  summary: "the tools of the config; call runs one under the policy",
  details: `Exit codes of call: 0 it succeeded, 6 it was refused, 9 it failed.
Example: toycoder tools call read_file '{"path":"README.md"}'`,
  flags: { ...SETUP_FLAGS, json: { help: "print JSON" } },
  async run(flags, io) {
    const action = flags.words[0] ?? "list";
    if (!Object.hasOwn(ACTIONS, action)) {
      const [near] = nearest(action, Object.keys(ACTIONS), 1);
      throw new UsageError(
        `tools has no ${action}`,
        near === undefined ? "it has list, show, search and call" : `did you mean ${near}?`,
      );
    }
    const ready = await setUp(flags, io);
    try {
      return await ACTIONS[action as keyof typeof ACTIONS](ready, flags, io);
    } finally {
      await ready.dispose();
    }
  },
};

/** What is published of a tool. */
function summaryOf(tool: Tool, ready: SetUp, enabled: boolean): object {
  const { name, version, permission, category, description } = tool;
  return { name, version, permission, category, enabled, ...ready.registry.origin(name), description };
}

function list(ready: SetUp, flags: ParsedFlags, io: Io): number {
  const session = ready.openSession();
  const all = ready.registry.list();
  if (flags.has("json")) {
    io.stdout.write(
      `${JSON.stringify(
        all.map((tool) => summaryOf(tool, ready, session.isEnabled(tool))),
        null,
        2,
      )}\n`,
    );
    return 0;
  }
  const width = Math.max(0, ...all.map((tool) => tool.name.length));
  for (const tool of all) {
    const state = session.isEnabled(tool) ? tool.permission : `${tool.permission}, disabled`;
    const [first = ""] = tool.description.split("\n", 1);
    print(io.stdout, `${tool.name.padEnd(width)}  ${state.padEnd(19)}  ${first}`);
  }
  return 0;
}

function show(ready: SetUp, flags: ParsedFlags, io: Io): number {
  const tool = toolOf(flags.words[1], ready.registry);
  const enabled = ready.openSession().isEnabled(tool);
  const whole = { ...summaryOf(tool, ready, enabled), input: tool.jsonSchema };
  if (flags.has("json")) {
    io.stdout.write(`${JSON.stringify(whole, null, 2)}\n`);
    return 0;
  }
  const { plugin } = ready.registry.origin(tool.name);
  const from = plugin === undefined ? "" : `, of the plugin ${plugin}`;
  io.stdout.write(
    `${tool.name} ${tool.version}: ${tool.permission}, ${enabled ? "enabled" : "disabled"}${from}\n`,
  );
  print(io.stdout, `\n${tool.description}\n\nInput\n${JSON.stringify(tool.jsonSchema, null, 2)}`);
  return 0;
}

function search(ready: SetUp, flags: ParsedFlags, io: Io): number {
  const request = flags.words.slice(1).join(" ");
  if (request === "")
    throw new UsageError("what is to be searched for?", "toycoder tools search read a file");
  const session = ready.openSession();
  const hits = session.search(request);
  if (flags.has("json")) {
    const found = hits.map(({ tool, score }) => ({
      score,
      ...summaryOf(tool, ready, session.isEnabled(tool)),
    }));
    io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return 0;
  }
  for (const { tool, enabled } of hits) {
    print(io.stdout, `${tool.name}${enabled ? "" : " (disabled)"}: ${tool.description}`);
  }
  if (hits.length === 0) io.stdout.write("no tool is found\n");
  return 0;
}

/** A tool's text as it is, but for a terminal without its control characters. */
const print = (stream: NodeJS.WriteStream, content: string): void =>
  void stream.write(`${stream.isTTY ? plainText(content) : content}\n`);

async function call(ready: SetUp, flags: ParsedFlags, io: Io): Promise<number> {
  const [, name, json] = flags.words;
  const tool = toolOf(name, ready.registry);
  return await callTool(tool.name, objectArgument(json), ready, flags, io);
}
