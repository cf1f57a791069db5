import type { ServerResponse } from "node:http";
import { isModelError, type Message, type Model, type ModelEvent, text } from "@toycoder/core";
import { withFallback } from "@toycoder/core/wire";
import { anthropic } from "@toycoder/provider-anthropic";
import { openAiChat, openAiResponses } from "@toycoder/provider-openai";
import { scriptedModel, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import type { Answer } from "./test-support/answer.ts";
import { type FailingServer, failingServer } from "./test-support/failing-server.ts";
import { type ModelServer, modelServer } from "./test-support/model-server.ts";
import { runToycoder } from "./test-support/run-toycoder.ts";
import { messagesSse } from "./test-support/wire-messages.ts";

const SETTINGS = { apiKey: "sk-test", retries: { retries: 2, baseMs: 1, maxMs: 1 } };
const PRICES = { input: 1, output: 10 };
const DONE: readonly Answer[] = [{ text: "All done." }];

const claude = (url: string): Model =>
  anthropic({ ...SETTINGS, model: "a", baseURL: url, prices: PRICES, reasoningEffort: "low" });
const gpt = (url: string, prices = { input: 2, output: 20 }): Model =>
  openAiResponses({ ...SETTINGS, model: "b", baseURL: `${url}/v1`, prices });

const busy =
  (status: number) =>
  (response: ServerResponse): void => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ type: "error", error }));
  };

/** The beginning of a message with text and a call, then an error in the stream. */
function breaking(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = messagesSse({ text: "Half of", calls: [{ name: "a", arguments: {} }] }, 0);
  for (const event of events.slice(0, -2)) response.write(event);
  const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
}

interface Run {
  events: ModelEvent[];
  thrown: unknown;
}

async function ask(
  model: Model,
  messages: readonly Message[] = [{ role: "user", content: [text("hi")] }],
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<Run> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream({ instructions: "", messages, tools: [] }, { signal })) {
      events.push(event);
      onEvent(event);
    }
  } catch (thrown) {
    return { events, thrown };
  }
  return { events, thrown: undefined };
}

/** What is left of the stream where its last `retry` made void what came before. */
const valid = ({ events }: Run): ModelEvent[] =>
  events.slice(events.findLastIndex(({ type }) => type === "retry") + 1);
const said = (run: Run): string =>
  valid(run)
    .map((event) => (event.type === "text" ? event.text : ""))
    .join("");
const retries = ({ events }: Run): string[] =>
  events.flatMap((event) => (event.type === "retry" ? [`${event.attempt} ${event.error.message}`] : []));

describe("a first model at a server that is too busy for ever", () => {
  it.each([429, 503, 529])("answers %d: the second goes on, at its own price", async (status) => {
    await using first = await failingServer(busy(status));
    await using second = await modelServer([...DONE, ...DONE]);
    const model = withFallback(claude(first.url), gpt(second.url));
    const run = await ask(model);
    expect(run.thrown).toBeUndefined();
    expect(said(run)).toBe("All done.");
    expect(first.requests).toHaveLength(3);
    expect(retries(run).map((one) => one.slice(0, 1))).toEqual(["1", "2", "3"]);
    expect(retries(run).at(-1)).toContain("anthropic:a failed for good, going on with openai:b: Anthropic");
    expect(valid(run)).toContainEqual(expect.objectContaining({ type: "usage", costUsd: 400 / 1_000_000 }));
    // The next turn does not ask the first again.
    expect(said(await ask(model))).toBe("All done.");
    expect(first.requests).toHaveLength(3);
  });

  it("breaks off after text and a call: all of it is void", async () => {
    await using first = await failingServer(breaking);
    await using second = await modelServer(DONE);
    const run = await ask(withFallback(claude(first.url), gpt(second.url)));
    expect(run.events.some((event) => event.type === "text" && event.text.startsWith("Half"))).toBe(true);
    expect(valid(run).map(({ type }) => type)).not.toContain("tool_call");
    expect(said(run)).toBe("All done.");
  });

  it.each([400, 401, 403])("answers %d: nobody takes over", async (status) => {
    await using first = await failingServer(busy(status));
    await using second = await modelServer(DONE);
    const { thrown } = await ask(withFallback(claude(first.url), gpt(second.url)));
    expect(isModelError(thrown) && thrown.status).toBe(status);
    expect(second.requests).toEqual([]);
  });

  it("stops at once when the signal aborts while the second is about to answer", async () => {
    await using first = await failingServer(busy(529));
    await using second = await failingServer(() => {});
    const controller = new AbortController();
    const { thrown } = await ask(
      withFallback(claude(first.url), gpt(second.url)),
      undefined,
      controller.signal,
      (event) => {
        if (event.type === "retry" && event.attempt === 3) controller.abort(new Error("stopped"));
      },
    );
    expect(thrown).toEqual(new Error("stopped"));
  });
});

/** A conversation whose calls came from an API: ids of its kind, reasoning that only it can read. */
const conversation = (provider: string, value: unknown, callId: string): Message[] => [
  { role: "user", content: [text("Go on.")] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Thinking.", data: { provider, value } },
      { type: "tool_call", id: callId, name: "read_file", arguments: { path: "a" } },
    ],
  },
  { role: "tool", results: [{ callId, name: "read_file", ok: true, content: [text("text of a")] }] },
];
const SIGNED = { type: "thinking", signature: "c2lnbmVkLWRhdGE=" };
const ENCRYPTED = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2lnbmVkLWRhdGE=" };

describe.each([
  ["anthropic", "openai", claude, gpt, conversation("anthropic", SIGNED, "toolu_01A.odd id")],
  ["openai", "anthropic", gpt, claude, conversation("openai", ENCRYPTED, "call_|odd:1")],
  ["anthropic", "anthropic", claude, claude, conversation("anthropic", SIGNED, "toolu_01A")],
  ["openai", "openai", gpt, gpt, conversation("openai", ENCRYPTED, "call_1")],
  [
    "openai",
    "openai-chat",
    gpt,
    (url: string) => openAiChat({ ...SETTINGS, model: "c", baseURL: `${url}/v1` }),
    conversation("openai", ENCRYPTED, "call_1"),
  ],
] as const)("from %s to %s", (_, __, makeFirst, makeSecond, messages) => {
  it("sends a conversation that is valid there, without the first's own data", async () => {
    await using first = await failingServer(busy(503));
    await using second = await modelServer(DONE);
    const run = await ask(withFallback(makeFirst(first.url), makeSecond(second.url)), messages);
    expect([run.thrown, said(run)]).toEqual([undefined, "All done."]);
    const sent = JSON.stringify(second.requests[0]);
    expect(sent).toContain("text of a");
    expect(sent).not.toContain("c2lnbmVkLWRhdGE=");
    const ids = [...sent.matchAll(/"(?:tool_use_id|call_id|tool_call_id)":"([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });
});

it("goes on within a run of the command, and says so", async () => {
  await using first = await failingServer(busy(400));
  await using second = await modelServer(DONE);
  expect(first.requests).toEqual([]);
  const config = (status: FailingServer, ok: ModelServer) => ({
    model: {
      provider: "anthropic",
      model: "a",
      baseURL: status.url,
      prices: PRICES,
      fallback: { provider: "openai", model: "b", baseURL: `${ok.url}/v1`, prices: PRICES },
    },
  });
  // A request that no retry helps, and that no fallback is for: the run ends with exit code 4.
  using folder = tempWorkspace({ "toycoder.config.json": JSON.stringify(config(first, second)) });
  const env = { OPENAI_API_KEY: "sk-test-123", ANTHROPIC_API_KEY: "sk-ant-123" };
  const options = { cwd: folder.root, env };
  const refused = await runToycoder(["run", "Do it.", "--output", "json"], options);
  expect(JSON.parse(refused.stdout)).toMatchObject({ exitCode: 4, model: "anthropic:a", turns: 1 });

  // `retry-after` of zero: the retries do not wait.
  await using none = await failingServer((response) => {
    response.setHeader("retry-after", "0");
    busy(529)(response);
  });
  using other = tempWorkspace({ "toycoder.config.json": JSON.stringify(config(none, second)) });
  const done = await runToycoder(["run", "Do it.", "--output", "stream-json"], {
    ...options,
    cwd: other.root,
  });
  const events = done.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.at(-1)).toMatchObject({
    result: {
      exitCode: 0,
      model: "openai:b",
      text: "All done.",
      usage: { costUsd: 200 / 1_000_000 },
    },
  });
  expect(events[0]).toMatchObject({ type: "session_start", model: "anthropic:a" });
  const told = events.filter(({ type }) => type === "retry").at(-1);
  expect(told).toMatchObject({ error: { code: "overloaded" } });
  expect(JSON.stringify(told)).toContain("going on with openai:b");
});

it("takes no scripted model for busy", async () => {
  const model = withFallback(scriptedModel([{ text: "x" }]), scriptedModel([]));
  expect(said(await ask(model))).toBe("x");
});
