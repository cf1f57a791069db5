import { describe, expect, test, vi } from "vitest";
import { close, fakeServer, json, raw, silence, sse, status } from "./test-support/fake-server.ts";
import { PROTOCOLS } from "./test-support/protocols.ts";
import { only, runModel } from "./test-support/run-model.ts";

const KEY = "sk-test-0123456789abcdef";
const settings = (baseURL: string) => ({
  model: "gpt-test",
  baseURL,
  apiKey: KEY,
  retries: { random: () => 0, sleep: () => Promise.resolve() },
});
const CALLS = [
  { id: "call_a", name: "read_file", arguments: '{"path":"a.txt"}' },
  { id: "call_b", name: "read_file", arguments: '{"path":"b.txt","limit":5}' },
];

describe.each(PROTOCOLS)("$name", (api) => {
  const whole = sse(api.events("Hello", CALLS));

  test("text, parallel calls, usage and the finish come out, in one request to the right path", async () => {
    await using server = await fakeServer(whole);
    const run = await runModel(api.model(settings(server.url)));
    expect(run).toMatchObject({ thrown: undefined, text: "Hello" });
    expect(only(run, "tool_call").map(({ call }) => call)).toEqual(CALLS);
    expect(only(run, "usage")[0]?.usage).toEqual({
      inputTokens: 10,
      outputTokens: 3,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    });
    expect(run.events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ path: api.path, headers: { authorization: `Bearer ${KEY}` } });
  });

  test("a server that ignores `stream: true` and answers in JSON is understood", async () => {
    await using server = await fakeServer(json(api.json("Hello", CALLS)));
    const run = await runModel(api.model(settings(server.url)));
    expect(run).toMatchObject({ thrown: undefined, text: "Hello" });
    expect(only(run, "tool_call").map(({ call }) => call)).toEqual(CALLS);
    expect(run.events.at(-1)).toEqual({ type: "finish", reason: "tool_calls" });
  });

  test("CRLF, comments, several events in one write and a missing last blank line change nothing", async () => {
    const lines = api
      .events("Hello")
      .map((event) => `: ping\r\ndata: ${event === "[DONE]" ? event : JSON.stringify(event)}`);
    await using server = await fakeServer(raw(lines.join("\r\n\r\n")));
    expect(await runModel(api.model(settings(server.url)))).toMatchObject({
      thrown: undefined,
      text: "Hello",
    });
  });

  test.each([
    ["ends early but cleanly", sse(api.events("Half an answer").slice(0, 9))],
    ["is reset in mid-stream", sse(api.events("Half an answer").slice(0, 9), "reset")],
    ["ends within a tool call", sse(api.events("", CALLS).slice(0, 2))],
    ["holds broken JSON", raw('data: {"choices":[{"del\n\n')],
    ["is empty", raw("")],
    ["is closed before any byte", close],
    ["is JSON that breaks off", raw('{"output":[', "clean", "application/json")],
  ])("a stream that %s is retried, and doubles nothing", async (_, broken) => {
    await using server = await fakeServer(broken, whole);
    const run = await runModel(api.model(settings(server.url)));
    expect(run).toMatchObject({ thrown: undefined, text: "Hello" });
    expect(only(run, "retry")).toMatchObject([{ attempt: 1, error: { code: "network" } }]);
    const retry = run.events.findIndex(({ type }) => type === "retry");
    expect(run.events.slice(0, retry).some(({ type }) => type === "tool_call")).toBe(false);
    expect(only(run, "tool_call")).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
  });

  test("an error object inside the stream is retried when it may pass", async () => {
    const error = api.streamError({ code: "server_error", message: "The server had an error" });
    await using server = await fakeServer(sse([...api.events("Hal").slice(0, 2), error]), whole);
    const run = await runModel(api.model(settings(server.url)));
    expect(run.text).toBe("Hello");
    expect(only(run, "retry")[0]?.error).toEqual({
      code: "overloaded",
      message: "OpenAI answered 500: The server had an error",
    });
  });

  test("an error object inside the stream that will not pass is thrown", async () => {
    const error = api.streamError({ code: "context_length_exceeded", message: "too many tokens" });
    await using server = await fakeServer(sse([error]));
    const run = await runModel(api.model(settings(server.url)));
    expect(run.thrown).toMatchObject({ name: "ModelError", kind: "context_overflow" });
    expect(server.requests).toHaveLength(1);
  });

  test("an error as JSON with status 200 is an error", async () => {
    await using server = await fakeServer(json({ error: { type: "invalid_request_error", message: "no" } }));
    expect((await runModel(api.model(settings(server.url)))).thrown).toMatchObject({
      kind: "invalid_request",
    });
  });

  test("429 waits as the server asks, 500 ever ends after four retries", async () => {
    const limited = status(
      429,
      { error: { message: "slow", code: "rate_limit_exceeded" } },
      { "retry-after": "7" },
    );
    await using server = await fakeServer(limited, whole);
    const run = await runModel(api.model(settings(server.url)));
    expect(only(run, "retry")).toMatchObject([{ delayMs: 7000, error: { code: "rate_limit" } }]);

    await using down = await fakeServer(status(500, { error: { message: "down" } }));
    const failed = await runModel(api.model(settings(down.url)));
    expect(failed.thrown).toMatchObject({
      kind: "overloaded",
      status: 500,
      message: "OpenAI answered 500: down",
    });
    expect(down.requests).toHaveLength(5);
    await using never = await fakeServer(status(500, "{}"));
    await runModel(api.model({ ...settings(never.url), retries: 0 }));
    expect(never.requests).toHaveLength(1);
  });

  test("401 is one request, and the key is in no message", async () => {
    await using server = await fakeServer(
      status(401, { error: { message: `Incorrect API key provided: ${KEY}`, code: "invalid_api_key" } }),
    );
    const { thrown } = await runModel(api.model(settings(server.url)));
    expect(thrown).toMatchObject({ kind: "auth", status: 401, hint: "check the key in OPENAI_API_KEY" });
    expect(JSON.stringify([thrown, String(thrown), (thrown as Error).stack])).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test("without a key there is no request, and a word on where to put one", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    await using server = await fakeServer(whole);
    const { apiKey: _, ...keyless } = settings(server.url);
    const { thrown } = await runModel(api.model(keyless));
    expect(thrown).toMatchObject({ kind: "auth", message: "there is no key for OpenAI" });
    expect(server.requests).toHaveLength(0);
    vi.unstubAllEnvs();
  });

  test("the SDK's own variables are honoured", async () => {
    await using server = await fakeServer(whole);
    vi.stubEnv("OPENAI_API_KEY", "sk-from-env");
    vi.stubEnv("OPENAI_BASE_URL", server.url);
    const run = await runModel(api.model({ model: "gpt-test" }));
    vi.unstubAllEnvs();
    expect(run.text).toBe("Hello");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-from-env");
  });

  test.each([
    [404, "<!doctype html><html><title>Nothing here</title></html>", "an HTML page: Nothing here"],
    [404, { detail: "Not Found" }, "Not Found"],
    [404, { error: "model 'x' not found" }, "model 'x' not found"],
  ])("a wrong address (%d %j) shows the URL and what to try", async (code, body, said) => {
    await using server = await fakeServer(status(code, body));
    const { thrown } = await runModel(api.model(settings(server.url)));
    expect(thrown).toMatchObject({
      kind: "invalid_request",
      message: `OpenAI at ${server.url} answered 404: ${said}`,
    });
    expect((thrown as { hint: string }).hint).toMatch(/base URL .*end in \/v1/);
    expect(server.requests).toHaveLength(1);
  });

  test("a web page with status 200 is a wrong address, not a model's answer", async () => {
    await using server = await fakeServer(status(200, "<html><title>Login</title></html>"));
    const { thrown } = await runModel(api.model(settings(server.url)));
    expect(thrown).toMatchObject({ kind: "invalid_request" });
    expect((thrown as Error).message).toContain(`${server.url} answered with an HTML page: Login`);
  });

  test("nobody at the address is the network's failure, with the address", async () => {
    const server = await fakeServer(whole);
    await server[Symbol.asyncDispose]();
    const { thrown } = await runModel(api.model({ ...settings(server.url), retries: 0 }));
    expect(thrown).toMatchObject({
      kind: "network",
      message: `no answer from OpenAI at ${server.url}: ECONNREFUSED`,
    });
  });

  test("abort is immediate and not retried: before the answer, and within it", async () => {
    for (const answer of [silence, sse(api.events("Hello").slice(0, 3), "open")]) {
      await using server = await fakeServer((response) => {
        answer(response);
        if (answer === silence) controller.abort(new Error("stop"));
      });
      const controller = new AbortController();
      const onEvent = (): void => controller.abort(new Error("stop"));
      const run = await runModel(api.model(settings(server.url)), {}, { signal: controller.signal, onEvent });
      expect(run.thrown).toMatchObject({ message: "stop" });
      expect(server.requests).toHaveLength(1);
    }
  });

  test("a stream that falls silent is ended and retried", async () => {
    await using server = await fakeServer(sse(api.events("Hel").slice(0, 3), "open"), whole);
    const run = await runModel(api.model({ ...settings(server.url), idleTimeoutMs: 200 }));
    expect(run.text).toBe("Hello");
    expect(only(run, "retry")[0]?.error.message).toBe("the provider sent nothing for 0.2 s");
  });

  test("a call without an id, or with one that came before, gets its own", async () => {
    const call = { id: "same", name: "read_file", arguments: '{"path":"a"}' };
    await using server = await fakeServer(
      sse(api.events("", [call, { ...call, name: "read_file" }])),
      json(api.json("", [{ ...call, id: "" }])),
    );
    const model = api.model(settings(server.url));
    const first = only(await runModel(model), "tool_call").map(({ call: { id } }) => id);
    expect(new Set(first)).toHaveLength(first.length);
    expect(only(await runModel(model), "tool_call")[0]?.call.id).toMatch(/./);
  });

  test("headers, and a fetch of one's own, go with every request", async () => {
    await using server = await fakeServer(whole);
    const urls: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      urls.push(String(input));
      return globalThis.fetch(input, init);
    };
    await runModel(api.model({ ...settings(server.url), headers: { "x-team": "blue" }, fetch }));
    expect(server.requests[0]?.headers["x-team"]).toBe("blue");
    expect(urls).toHaveLength(1);
  });
});
