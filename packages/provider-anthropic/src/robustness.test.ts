import type { ModelSettings } from "@toycoder/core/wire";
import { expect, test, vi } from "vitest";
import { anthropic } from "./model.ts";
import { close, fakeServer, json, raw, silence, sse, status } from "./test-support/fake-server.ts";
import { block, message, textBlock, toolBlock, whole } from "./test-support/message-events.ts";
import { only, runModel } from "./test-support/run-model.ts";

const KEY = "sk-ant-test-0123456789abcdef";
const settings = (baseURL: string): ModelSettings => ({
  model: "claude-test",
  baseURL,
  apiKey: KEY,
  retries: { random: () => 0, sleep: () => Promise.resolve() },
});

const EVENTS = message(
  [...textBlock(0, "Hello"), ...toolBlock(1, "toolu_a", '{"path":"a"}'), ...toolBlock(2, "toolu_b", "")],
  "tool_use",
);
const CALLS = [
  { id: "toolu_a", name: "read_file", arguments: '{"path":"a"}' },
  { id: "toolu_b", name: "read_file", arguments: {} },
];
const USAGE = {
  inputTokens: 16,
  outputTokens: 3,
  cacheReadTokens: 4,
  cacheWriteTokens: 2,
  reasoningTokens: 0,
};

test("text, parallel calls, usage and the finish come out, in one request to the right path", async () => {
  await using server = await fakeServer(sse(EVENTS));
  const run = await runModel(anthropic(settings(server.url)));
  expect(run).toMatchObject({ thrown: undefined, text: "Hello" });
  expect(only(run, "tool_call").map(({ call }) => call)).toEqual(CALLS);
  expect(only(run, "usage")).toEqual([{ type: "usage", usage: USAGE }]);
  expect(run.events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.path).toBe("/v1/messages");
  expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
});

test("a base URL with /v1 is as good as one without", async () => {
  await using server = await fakeServer(sse(EVENTS));
  expect((await runModel(anthropic(settings(`${server.url}/v1`)))).text).toBe("Hello");
  expect(server.requests[0]?.path).toBe("/v1/messages");
});

test("a server that ignores `stream: true` and answers in JSON is understood", async () => {
  const content = [
    { type: "text", text: "Hello" },
    { type: "tool_use", id: "toolu_a", name: "read_file", input: { path: "a" } },
  ];
  await using server = await fakeServer(json(whole(content, "tool_use")));
  const run = await runModel(anthropic(settings(server.url)));
  expect(run).toMatchObject({ thrown: undefined, text: "Hello" });
  expect(only(run, "tool_call")[0]?.call).toEqual({ ...CALLS[0], arguments: { path: "a" } });
  expect(only(run, "usage")).toEqual([{ type: "usage", usage: USAGE }]);
  expect(run.events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
});

test("CRLF, comments and events without names change nothing", async () => {
  const text = EVENTS.map((event) => `: note\r\ndata: ${JSON.stringify(event)}\r\n\r\n`).join("");
  await using server = await fakeServer(raw(text));
  expect(await runModel(anthropic(settings(server.url)))).toMatchObject({ thrown: undefined, text: "Hello" });
});

test.each([
  ["ends early but cleanly", sse(EVENTS.slice(0, 5))],
  ["is reset in mid-stream", sse(EVENTS.slice(0, 5), "reset")],
  ["ends within a tool call", sse(EVENTS.slice(0, 14))],
  ["ends before message_stop", sse(EVENTS.slice(0, -1))],
  ["holds broken JSON", raw('event: message_start\ndata: {"type":\n\n')],
  ["is empty", raw("")],
  ["is closed before any byte", close],
  ["is JSON that breaks off", raw('{"type":"message"', "clean", "application/json")],
])("a stream that %s is retried, and doubles nothing", async (_, broken) => {
  await using server = await fakeServer(broken, sse(EVENTS));
  const run = await runModel(anthropic(settings(server.url)));
  expect(run).toMatchObject({ thrown: undefined, text: "Hello" });
  expect(only(run, "retry")).toMatchObject([{ attempt: 1, error: { code: "network" } }]);
  expect(only(run, "tool_call")).toHaveLength(2);
  expect(server.requests).toHaveLength(2);
});

test("overloaded is retried, as a status and within the stream", async () => {
  const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
  await using server = await fakeServer(status(529, error), sse([...EVENTS.slice(0, 5), error]), sse(EVENTS));
  const run = await runModel(anthropic(settings(server.url)));
  expect(run.text).toBe("Hello");
  expect(only(run, "retry").map((retry) => retry.error)).toEqual([
    { code: "overloaded", message: "Anthropic answered 529: Overloaded" },
    { code: "overloaded", message: "Anthropic answered 529: Overloaded" },
  ]);
});

test("429 waits as the server asks, 500 ever ends after four retries", async () => {
  const limited = { type: "error", error: { type: "rate_limit_error", message: "slow" } };
  await using server = await fakeServer(status(429, limited, { "retry-after": "7" }), sse(EVENTS));
  expect(only(await runModel(anthropic(settings(server.url))), "retry")).toMatchObject([
    { delayMs: 7000, error: { code: "rate_limit" } },
  ]);
  await using down = await fakeServer(
    status(500, { type: "error", error: { type: "api_error", message: "down" } }),
  );
  const { thrown } = await runModel(anthropic(settings(down.url)));
  expect(thrown).toMatchObject({ kind: "overloaded", message: "Anthropic answered 500: down" });
  expect(down.requests).toHaveLength(5);
});

test.each([
  [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "context_overflow"],
  [400, "invalid_request_error", "tools.0: bad", "invalid_request"],
  [403, "permission_error", "no", "auth"],
  [401, "authentication_error", `invalid x-api-key ${KEY}`, "auth"],
])("%d %s (%s) is thrown after one request, without the key", async (code, type, text, kind) => {
  await using server = await fakeServer(status(code, { type: "error", error: { type, message: text } }));
  const { thrown } = await runModel(anthropic(settings(server.url)));
  expect(thrown).toMatchObject({ name: "ModelError", kind, status: code });
  expect(JSON.stringify([thrown, String(thrown), (thrown as Error).stack])).not.toContain(KEY);
  expect(server.requests).toHaveLength(1);
});

test("without a key there is no request, and a word on where to put one", async () => {
  await using server = await fakeServer(sse(EVENTS));
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "");
  const { apiKey: _, ...keyless } = settings(server.url);
  const { thrown } = await runModel(anthropic(keyless));
  expect(thrown).toMatchObject({ kind: "auth", message: "there is no key for Anthropic" });
  expect(server.requests).toHaveLength(0);
  vi.unstubAllEnvs();
});

test("the SDK's own variables are honoured", async () => {
  await using server = await fakeServer(sse(EVENTS));
  vi.stubEnv("ANTHROPIC_BASE_URL", server.url);
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "token-from-env");
  const run = await runModel(anthropic({ model: "claude-test" }));
  vi.unstubAllEnvs();
  expect(run.text).toBe("Hello");
  expect(server.requests[0]?.headers.authorization).toBe("Bearer token-from-env");
});

test("a wrong address shows the URL and what to try", async () => {
  await using server = await fakeServer(
    status(404, "<html><title>Nothing here</title></html>"),
    status(200, "<html></html>"),
  );
  const first = await runModel(anthropic(settings(server.url)));
  expect(first.thrown).toMatchObject({
    kind: "invalid_request",
    message: `Anthropic at ${server.url}/ answered 404: an HTML page: Nothing here`,
    hint: expect.stringContaining("base URL"),
  });
  const second = await runModel(anthropic(settings(server.url)));
  expect(second.thrown).toMatchObject({
    kind: "invalid_request",
    message: expect.stringContaining(server.url),
  });
});

test("abort is immediate and not retried: before the answer, and within it", async () => {
  for (const answer of [silence, sse(EVENTS.slice(0, 5), "open")]) {
    const controller = new AbortController();
    const stop = (): void => controller.abort(new Error("stop"));
    await using server = await fakeServer((response) => {
      answer(response);
      if (answer === silence) stop();
    });
    const run = await runModel(
      anthropic(settings(server.url)),
      {},
      { signal: controller.signal, onEvent: stop },
    );
    expect(run.thrown).toMatchObject({ message: "stop" });
    expect(server.requests).toHaveLength(1);
  }
});

test("a stream that falls silent is ended and retried", async () => {
  await using server = await fakeServer(sse(EVENTS.slice(0, 5), "open"), sse(EVENTS));
  const run = await runModel(anthropic({ ...settings(server.url), idleTimeoutMs: 200 }));
  expect(run.text).toBe("Hello");
  expect(only(run, "retry")[0]?.error.message).toBe("the provider sent nothing for 0.2 s");
});

test.each([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
])("the stop reason %s is %s", async (stop, reason) => {
  await using server = await fakeServer(sse(message(textBlock(0, "x"), stop)));
  expect((await runModel(anthropic(settings(server.url)))).events.at(-1)).toEqual({ type: "finish", reason });
});

test("where the answer was cut off, a call whose arguments are not whole is no call", async () => {
  const cut = block(
    0,
    { type: "tool_use", id: "t", name: "read_file", input: {} },
    { type: "input_json_delta", partial_json: '{"pa' },
  );
  await using server = await fakeServer(sse(message(cut, "max_tokens")));
  const run = await runModel(anthropic(settings(server.url)));
  expect(only(run, "tool_call")).toEqual([]);
  expect(run.events.at(-1)).toEqual({ type: "finish", reason: "length" });
});

test("a call without an id, or with one that came before, gets its own", async () => {
  await using server = await fakeServer(
    sse(
      message(
        [...toolBlock(0, "a", "{}"), ...toolBlock(1, "a", "{}"), ...toolBlock(2, "", "{}")],
        "tool_use",
      ),
    ),
  );
  const ids = only(await runModel(anthropic(settings(server.url))), "tool_call").map(({ call }) => call.id);
  expect(ids[0]).toBe("a");
  expect(new Set(ids).size).toBe(3);
});
