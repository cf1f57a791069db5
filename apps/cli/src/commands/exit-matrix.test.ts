import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { RunResult } from "@toycoder/agent";
import { type ScriptedTurn, tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "../test-support/answer.ts";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { failingServer } from "../test-support/failing-server.ts";
import { processesWith } from "../test-support/processes.ts";
import { runToycoder, startToycoder } from "../test-support/run-toycoder.ts";
import { chatSse } from "../test-support/wire-chat.ts";
import { faultBody, faultEvent } from "../test-support/wire-faults.ts";

type Behaviour = (response: ServerResponse, count: number) => void;

interface Row {
  /** Beside `run TASK --output json`. */
  args?: readonly string[];
  /** Null: none on the command line. */
  task?: string | null;
  files?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** The answers of a cassette… */
  turns?: readonly ScriptedTurn[];
  /** …or a server that speaks Chat Completions. */
  server?: Behaviour;
  code: number;
  status?: RunResult["status"];
  error?: string;
}

const sse = (response: ServerResponse, events: readonly string[]): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""));
const answers =
  (...list: readonly Answer[]): Behaviour =>
  (response, count) =>
    sse(response, chatSse(list[Math.min(count, list.length - 1)]!, count));
const failing =
  (status: number, body: object | string): Behaviour =>
  (response) =>
    response
      .writeHead(status, { "content-type": "application/json", "retry-after": "0" })
      .end(typeof body === "string" ? body : JSON.stringify(body));
/** Answers with one, and then for ever with the other. */
const first =
  (one: Behaviour, then: Behaviour): Behaviour =>
  (response, count) =>
    count === 0 ? one(response, 0) : then(response, count - 1);
const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const halfThenReset: Behaviour = (response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chatSse({ text: "Half an answer" }, 0).slice(0, 2).join(""), () => {
    void setImmediate().then(() => response.socket?.resetAndDestroy());
  });
};

const DONE = { text: "Done." };
const done = answers(DONE);
const call = (name: string, args: object): ScriptedTurn => ({
  calls: [{ name, arguments: args as Record<string, unknown> }],
});
const WRITE = call("write_file", { path: "a.txt", content: "new\n" });
const LOOK = call("list_dir", {});
const run = (command: string): ScriptedTurn => call("run_command", { command, timeout: 60 });
const config = (body: string, head = ""): Record<string, string> => ({
  "toycoder.config.ts": `${head}export default ${body};\n`,
});
const priced = (limits: string): Record<string, string> =>
  config(`{ model: { provider: "openai-compatible", model: "m", baseURL: process.env.SERVER,
    prices: { input: 1000, output: 1000 } }, limits: ${limits} }`);
const SCHEMA = JSON.stringify({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] });

const ROWS: Readonly<Record<string, Row>> = {
  // 0
  completed: { turns: [LOOK, DONE], code: 0, status: "completed" },
  "completed on a server": { server: done, code: 0, status: "completed" },
  "a recovered 429": { server: first(failing(429, faultBody("chat", "rate_limit")), done), code: 0 },
  "a recovered 500": { server: first(failing(500, faultBody("chat", "server_error")), done), code: 0 },
  "a recovered reset in mid-stream": { server: first(halfThenReset, done), code: 0 },
  "a denial by the policy": {
    turns: [WRITE, DONE],
    args: ["--deny", "write:a.txt"],
    code: 0,
    status: "completed",
  },
  "an ask that --yes answers": { turns: [WRITE, DONE], args: ["--yes"], code: 0, status: "completed" },
  "a failing tool that the model gets over": {
    turns: [call("read_file", { path: "nope" }), DONE],
    code: 0,
    status: "completed",
  },
  "the answer that was asked for": {
    server: answers({ text: '{"n": 1}' }),
    files: { "s.json": SCHEMA },
    args: ["--output-schema", "s.json"],
    code: 0,
  },
  "stdin open and silent beside a task": { server: done, code: 0 },
  "a task of 10 MB on stdin": { server: done, task: null, stdin: "word ".repeat(2_000_000), code: 0 },
  // 2
  "no task": { turns: [DONE], task: null, stdin: "", code: 2 },
  "an unknown flag": { turns: [DONE], args: ["--nope"], code: 2 },
  "a limit that is no number": { turns: [DONE], args: ["--max-cost", "much"], code: 2 },
  "a model that is none": { args: ["--model", "gpt"], code: 2 },
  "a rule that cannot be read": { turns: [DONE], args: ["--allow", "write_file("], code: 2 },
  "an output schema that is none": {
    turns: [DONE],
    files: { "s.json": "{" },
    args: ["--output-schema", "s.json"],
    code: 2,
  },
  "an image that is not there": { turns: [DONE], args: ["--image", "nope.png"], code: 2 },
  // 3
  "a config with a syntax error": { files: config("{ model: }"), code: 3, error: "config_invalid" },
  "a config with an unknown key": { files: config("{ modle: 'x' }"), code: 3, error: "config_invalid" },
  "a config with a wrong type": {
    files: config("{ limits: { turns: 'no' } }"),
    code: 3,
    error: "config_invalid",
  },
  "a config that throws": {
    files: config("{}", "throw new Error('no');\n"),
    code: 3,
    error: "config_invalid",
  },
  "a config without a default": {
    files: { "toycoder.config.ts": "export const x = 1;\n" },
    code: 3,
    error: "config_invalid",
  },
  "a config of broken JSON": { files: { ".toycoderrc.json": "{" }, code: 3, error: "config_invalid" },
  "a config of broken YAML": { files: { ".toycoderrc.yaml": "a: [" }, code: 3, error: "config_invalid" },
  "a config with a broken rule": {
    files: config("{ permissions: { allow: ['write_file('] } }"),
    code: 3,
    error: "config_invalid",
  },
  "a rule for an unknown tool": {
    files: config("{ permissions: { allow: ['wriet_file'] } }"),
    code: 3,
    error: "unknown_tool_in_rule",
  },
  "a variable that is not set": {
    files: config("{ model: { provider: 'openai', model: 'm', headers: { x: '${NOPE}' } } }"),
    code: 3,
    error: "config_invalid",
  },
  "a plugin that is not there": { files: config("{ plugins: ['nope'] }"), code: 3 },
  "a plugin that fails": {
    files: config(
      `{ plugins: [{ name: "bad", version: "1.0.0", api: 1, setup() { throw new Error("no"); } }] }`,
    ),
    code: 3,
  },
  "an unknown provider in the config": {
    files: config("{ model: 'acme:x' }"),
    code: 3,
    error: "invalid_model",
  },
  "a config that is not there": { args: ["--config", "nope.ts"], code: 3, error: "config_not_found" },
  "a cost limit on a model of unknown price": {
    server: done,
    args: ["--max-cost", "1"],
    code: 3,
    error: "cost_unknown",
  },
  "a cassette that is not there": { args: ["--model", "replay:nope"], code: 3, error: "cassette_invalid" },
  "a run that departs from its cassette": {
    turns: [LOOK, DONE],
    args: ["--enable", "run_command"],
    code: 3,
    error: "replay_mismatch",
  },
  "a session folder that cannot be made": {
    turns: [DONE],
    env: { TOYCODER_STATE_DIR: "/dev/null/x" },
    code: 3,
    error: "session_folder",
  },
  // 4
  "no key": { args: ["--model", "anthropic:claude-x"], code: 4, status: "provider_error", error: "auth" },
  "no model to be found": { code: 4, status: "provider_error", error: "auth" },
  "a wrong key": { server: failing(401, faultBody("chat", "auth")), code: 4, error: "auth" },
  "a bad model name": {
    server: failing(404, { error: { message: "The model m does not exist", code: "model_not_found" } }),
    code: 4,
    error: "invalid_request",
  },
  "a request that is refused": {
    server: failing(400, faultBody("chat", "invalid")),
    code: 4,
    error: "invalid_request",
  },
  "429 for ever": { server: failing(429, faultBody("chat", "rate_limit")), code: 4, error: "rate_limit" },
  "500 for ever": { server: failing(500, faultBody("chat", "server_error")), code: 4, error: "overloaded" },
  "a full window": {
    server: failing(400, faultBody("chat", "overflow")),
    code: 4,
    error: "context_overflow",
  },
  "an error after some text": {
    server: (response) => sse(response, [chunk({ content: "Half" }, null), faultEvent("chat", "invalid")]),
    code: 4,
    error: "invalid_request",
  },
  "a page of HTML": { server: failing(200, "<html>hello</html>"), code: 4 },
  "a refusal": {
    server: (response) => sse(response, [chunk({ refusal: "No." }, "stop"), "data: [DONE]\n\n"]),
    code: 4,
    error: "refused",
  },
  "nothing but empty answers": { server: answers({ text: "" }), code: 4, error: "empty_answer" },
  // 5
  "an answer that never fits its schema": {
    server: answers({ text: '{"n": "one"}' }),
    files: { "s.json": SCHEMA },
    args: ["--output-schema", "s.json"],
    code: 5,
    status: "output_invalid",
  },
  // 6
  "a rule that is lacking": { turns: [WRITE, DONE], code: 6, status: "denied", error: "approval_required" },
  "a tool that is disabled": { turns: [run("true"), DONE], code: 6, status: "denied" },
  "a lacking rule that stops the run": {
    turns: [WRITE, WRITE, DONE],
    files: config("{ permissions: { onAsk: 'stop' } }"),
    code: 6,
    status: "denied",
  },
  // 7
  "the turns": { turns: [LOOK, LOOK, DONE], args: ["--max-turns", "2"], code: 7, error: "turn_limit" },
  "the tool calls": {
    server: answers({ calls: [{ name: "list_dir", arguments: {} }] }),
    files: config("{ limits: { toolCalls: 1 } }"),
    code: 7,
    error: "call_limit",
  },
  "the tokens": {
    server: answers({ calls: [{ name: "list_dir", arguments: {} }] }),
    files: config("{ limits: { tokens: 300 } }"),
    code: 7,
    error: "token_limit",
  },
  "the cost": {
    server: answers({ calls: [{ name: "list_dir", arguments: {} }] }),
    files: priced("{ costUsd: 0.3 }"),
    args: [],
    code: 7,
    error: "cost_limit",
  },
  "the minutes, in a model call": {
    server: () => undefined,
    args: ["--max-minutes", "0.02"],
    code: 7,
    error: "time_limit",
  },
  "a model that goes in circles": {
    server: answers({ calls: [{ name: "read_file", arguments: { path: "nope" } }] }),
    code: 7,
    error: "repeated_call",
  },
  "an answer that was cut off": {
    server: (response) => sse(response, [chunk({ content: "Half" }, "length"), "data: [DONE]\n\n"]),
    code: 7,
    error: "output_limit",
  },
};

const STATUS_OF_CODE: Readonly<Record<number, RunResult["status"]>> = {
  0: "completed",
  3: "config_error",
  4: "provider_error",
  5: "output_invalid",
  6: "denied",
  7: "limit",
};

async function workspaceOf({ turns = [], files = {} }: Row): Promise<TempWorkspace> {
  return tempWorkspace({ "c.jsonl": await cassette(turns), ...files });
}

function argumentsOf({ turns, server, task = "Do it.", args = [], files = {} }: Row, url: string): string[] {
  const played = turns === undefined ? [] : ["--model", "replay:c.jsonl"];
  const named = files["toycoder.config.ts"]?.includes("process.env.SERVER") === true;
  const asked = server === undefined || named ? [] : ["--model", "openai-compatible:m", "--base-url", url];
  return ["run", ...(task === null ? [] : [task]), "--output", "json", ...played, ...asked, ...args];
}

describe("every end of a run has its exit code, and one object on stdout", () => {
  it.each(Object.entries(ROWS).map(([name, row]) => [row.code, name, row] as const))(
    "%i: %s",
    async (code, _, row) => {
      using folder = await workspaceOf(row);
      await using server = await failingServer(row.server ?? (() => undefined));
      const url = `${server.url}/v1`;
      const { stdin } = row;
      const env = { SERVER: url, ...row.env };
      const ended = await runToycoder(argumentsOf(row, url), {
        cwd: folder.root,
        env,
        ...(stdin !== undefined && { input: stdin }),
      });
      const why = ended.code === code ? "" : ended.stderr;
      expect([ended.code, ended.signal, why]).toEqual([code, null, ""]);
      if (code === 2)
        return expect([ended.stdout, ended.stderr]).toEqual(["", expect.stringMatching(/^toycoder: ./)]);
      const result = JSON.parse(ended.stdout) as RunResult;
      expect(result).toMatchObject({
        schemaVersion: 1,
        exitCode: code,
        status: row.status ?? STATUS_OF_CODE[code],
        ...(row.error !== undefined && { error: { code: row.error } }),
      });
      expect(result.error === null).toBe(code === 0);
    },
  );
});

/** Resolves when stdout has shown `text`. */
function shown(stdout: NodeJS.ReadableStream, text: string): Promise<void> {
  let seen = "";
  return new Promise((resolve) => {
    stdout.on("data", (data: Buffer) => {
      seen += data.toString();
      if (seen.includes(text)) resolve();
    });
  });
}

describe("a run that is stopped from outside", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s in a model call: %i, no request more", async (signal, code) => {
    let asked = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    await using server = await failingServer(() => asked());
    using folder = tempWorkspace();
    const args = [
      "run",
      "x",
      "--model",
      "openai-compatible:m",
      "--base-url",
      `${server.url}/v1`,
      "--output",
      "json",
    ];
    const { child, done: end } = startToycoder(args, { cwd: folder.root });
    await arrived;
    child.kill(signal);
    const ended = await end;
    expect([ended.code, ended.signal]).toEqual([code, null]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: "cancelled",
      exitCode: code,
      error: { code: "cancelled" },
    });
    expect(server.requests).toHaveLength(1);
  });

  it("by a second SIGINT, though a tool takes no notice of the first: 130, nothing left", async () => {
    const stubborn = run("trap '' TERM INT; echo ready; sleep 7311.5 & wait; sleep 7311.5");
    using folder = tempWorkspace({ "c.jsonl": await cassette([stubborn, DONE], ALL_TOOLS) });
    const args = [
      "run",
      "x",
      "--model",
      "replay:c.jsonl",
      "--allow",
      "run_command",
      "--output",
      "stream-json",
    ];
    const { child, done: end } = startToycoder(args, { cwd: folder.root });
    await shown(child.stdout!, "ready");
    child.kill("SIGINT");
    child.kill("SIGINT");
    const exited = await once(child, "exit");
    await end;
    expect(exited).toEqual([130, null]);
    expect(processesWith("7311.5")).toEqual([]);
  });
});
