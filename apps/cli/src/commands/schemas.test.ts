import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { AgentEvent, RunResult } from "@toycoder/agent";
import { type JsonSchema, jsonSchema, problemsOf } from "@toycoder/core";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";
import { chatSse } from "../test-support/wire-chat.ts";

const { resolve } = createRequire(import.meta.url);
const schemaOf = (name: string): JsonSchema =>
  JSON.parse(readFileSync(resolve(`@toycoder/agent/schemas/${name}.schema.json`), "utf8")) as JsonSchema;

/** The same schema with every object closed: what the documentation doesn't know must not be there. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return ("properties" in schema ? { ...inner, additionalProperties: false } : inner) as T;
}

const EVENT = closed(schemaOf("event"));
const RESULT = closed(schemaOf("result"));

/** A problem with each value that does not fit. */
async function misfits(schema: JsonSchema, values: readonly unknown[]): Promise<string[]> {
  const standard = jsonSchema(schema);
  const found = await Promise.all(
    values.map(async (value) => [await problemsOf(value, standard, schema), value] as const),
  );
  return found
    .filter(([problems]) => problems.length > 0)
    .map(([problems, value]) => JSON.stringify({ problems: problems.slice(0, 3), value }).slice(0, 600));
}

const linesOf = (text: string): AgentEvent[] =>
  text.trimEnd().split("\n").map((line) => JSON.parse(line) as AgentEvent); // prettier-ignore

const read = (limit: number): Answer => ({
  calls: [{ name: "read_file", arguments: { path: "long.txt", limit } }],
});
const sse = (answer: Answer) => (response: ServerResponse, turn: number) =>
  response.writeHead(200, { "content-type": "text/event-stream" }).end(chatSse(answer, turn).join(""));
const fails = (status: number, code: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code, message: code } }));

/** A run that is retried once, and whose conversation grows too long once. */
async function longRun(folder: TempWorkspace): Promise<string> {
  const overflow = fails(400, "context_length_exceeded");
  const script = [fails(503, "down"), ...[100, 110, 120].map((limit) => sse(read(limit))), overflow, sse({ text: "So far." }), sse({ text: "Done." })]; // prettier-ignore
  let turn = 0;
  const server = createServer((request, response) => {
    void json(request).then(() => script[turn]?.(response, turn++));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const args = ["run", "x", "--model", "openai-compatible:m", "--base-url", base, "--output", "stream-json"];
  const { stdout } = await runToycoder(args, { cwd: folder.root });
  server.closeAllConnections();
  server.close();
  return stdout;
}

async function everyKindOfRun(folder: TempWorkspace): Promise<string[]> {
  const run = async (args: readonly string[]): Promise<string> =>
    (await runToycoder(["run", ...args, "--output", "stream-json"], { cwd: folder.root })).stdout;
  const allowed = ["--model", "replay:c.jsonl", "--allow", "run_command(echo *)", "--allow", "plugin:files"];
  const first = await run(["x", ...allowed, "--image", "a.png"]);
  const last = linesOf(first).at(-1);
  const id = last?.type === "result" ? last.result.sessionId : "";
  const session = folder.read(`.state/sessions/${id}/events.jsonl`);
  const resumed = await run(["y", "--model", "replay:d.jsonl", "--resume", id]);
  return [first, session, resumed, await longRun(folder), await run(["x", "--model", "replay:absent"])];
}

describe("the published schemas", () => {
  let events: AgentEvent[] = [];
  beforeAll(async () => {
    const calls = [
      { name: "write_file", arguments: { path: "a.txt", content: "new\n" } },
      { name: "run_command", arguments: { command: "echo one" } },
      { name: "run_command", arguments: { command: "rm -rf x" } },
      { name: "read_file", arguments: { path: "absent.txt" } },
      { name: "write_file", arguments: { path: "../outside.txt", content: "" } },
      { name: "read_file", arguments: "{" },
    ];
    using folder = tempWorkspace({
      "c.jsonl": await cassette(
        [{ reasoning: "Hm.", text: "I begin.", calls }, { text: "Done." }],
        ALL_TOOLS,
      ),
      "d.jsonl": await cassette([{ text: "Again." }]),
      "long.txt": "some words on a line of a file\n".repeat(200),
      "a.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    });
    events = (await everyKindOfRun(folder)).flatMap(linesOf);
  }, 60_000);

  it("know every line of real runs and sessions, to the last key", async () => {
    expect(await misfits(EVENT, events)).toEqual([]);
  });

  it("know the results, to the last key", async () => {
    const results = events.flatMap((event): RunResult[] => (event.type === "result" ? [event.result] : []));
    expect(new Set(results.map(({ status }) => status))).toEqual(
      new Set(["denied", "completed", "config_error"]),
    );
    expect(await misfits(RESULT, results)).toEqual([]);
  });

  it("have no type of event that these runs don't show", () => {
    const types = (EVENT["oneOf"] as JsonSchema[]).map(
      ({ properties }) => (properties!["type"] as JsonSchema).const,
    );
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(types));
  });

  it("refuse what is not theirs", async () => {
    const [start] = events;
    expect(
      await misfits(EVENT, [
        { ...start, more: 1 },
        { ...start, v: 2 },
        { ...start, type: "x" },
      ]),
    ).toHaveLength(3);
    // What is published is open: a later version may add keys.
    expect(await misfits(schemaOf("event"), [{ ...start, more: 1 }])).toEqual([]);
  });
});
