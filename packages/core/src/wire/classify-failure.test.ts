import { expect, test } from "vitest";
import { ModelError } from "../errors.ts";
import { classifyFailure, type Failure } from "./classify-failure.ts";
import { StreamFault } from "./provider-fault.ts";

const KEY = "sk-very-secret-123456";
const classify = (thrown: unknown): Failure =>
  classifyFailure(thrown, {
    provider: "OpenAI",
    baseURL: "https://user:pass@example.com/v1?x=1",
    keyVariable: "OPENAI_API_KEY",
    secrets: [KEY, "hunter2"],
    now: () => 0,
  });

/** An error as the SDKs throw it: `status`, `error`, `headers`, and a message that repeats them. */
const api = (status: number | undefined, error: unknown, headers?: Headers): Error =>
  Object.assign(new Error(`${status} ${JSON.stringify(error)}`), { status, error, headers });

const anthropic = (type: string, message = "m"): unknown => ({ type: "error", error: { type, message } });

test.each([
  [401, { code: "invalid_api_key" }, "auth", false],
  [403, {}, "auth", false],
  [402, {}, "auth", false],
  [429, { code: "rate_limit_exceeded" }, "rate_limit", true],
  [429, { code: "insufficient_quota" }, "rate_limit", false],
  [400, { message: "bad tool" }, "invalid_request", false],
  [404, { message: "no such model" }, "invalid_request", false],
  [422, {}, "invalid_request", false],
  [408, {}, "network", true],
  [409, {}, "network", true],
  [500, {}, "overloaded", true],
  [501, {}, "overloaded", false],
  [503, {}, "overloaded", true],
  [529, anthropic("overloaded_error"), "overloaded", true],
  [400, { code: "content_policy_violation" }, "refused", false],
  [413, anthropic("request_too_large"), "context_overflow", false],
  [400, anthropic("invalid_request_error", "Your credit balance is too low"), "rate_limit", false],
])("status %d with %j is %s", (status, body, kind, retryable) => {
  expect(classify(api(status, body))).toMatchObject({ error: { kind, status }, retryable });
});

test.each([
  [{ code: "context_length_exceeded", message: "This model's maximum context length is 128000 tokens." }],
  [{ code: "context_length_exceeded", message: "Your input exceeds the context window of this model." }],
  [{ message: "prompt is too long: 210000 tokens > 200000 maximum" }],
  [{ message: "input length and `max_tokens` exceed context limit: 199000 + 32000 > 200000" }],
  [{ type: "exceed_context_size_error", message: "the request exceeds the available context size" }],
  [{ message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." }],
])("%j is a context overflow", (body) => {
  expect(classify(api(400, body))).toMatchObject({ error: { kind: "context_overflow" }, retryable: false });
});

test.each([
  [{ type: "overloaded_error", message: "Overloaded" }, "overloaded", true],
  [{ type: "rate_limit_error", message: "slow down" }, "rate_limit", true],
  [{ code: "server_error", message: "oops" }, "overloaded", true],
  [{ code: 502, message: "upstream" }, "overloaded", true],
  [{ type: "invalid_request_error", message: "no" }, "invalid_request", false],
  [{ message: "something" }, "overloaded", true],
  ["just text", "overloaded", true],
])("the error %j inside a stream is %s", (body, kind, retryable) => {
  expect(classify(new StreamFault(body))).toMatchObject({ error: { kind }, retryable });
});

test("an unknown type named like a property of every object is no status", () => {
  expect(classify(new StreamFault({ type: "constructor", message: "x" })).error.status).toBeUndefined();
});

test("a broken connection is the network's, and the message names the address and the code", () => {
  const reset = Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }),
  });
  const { error, retryable } = classify(reset);
  expect(retryable).toBe(true);
  expect(error).toMatchObject({
    kind: "network",
    message: "no answer from OpenAI at https://example.com/v1: ECONNREFUSED",
  });
  expect(error.hint).toMatch(/server is running/);
});

test("a failure without a code is told by its deepest cause", () => {
  const thrown = new Error("Connection error.", {
    cause: new TypeError("fetch failed", { cause: new Error("bad port") }),
  });
  expect(classify(thrown).error.message).toBe("no answer from OpenAI at https://example.com/v1: bad port");
});

test("the provider's words are shown, no key ever is", () => {
  const { error } = classify(
    api(401, { message: `Incorrect API key provided: ${KEY}, Bearer hunter2 sk-abc***xyz1.` }),
  );
  expect(error.message).toBe("OpenAI answered 401: Incorrect API key provided: [key], Bearer [key] [key]");
  expect(JSON.stringify([error.message, error.hint])).not.toMatch(/secret|hunter2|abc/);
  expect(error.hint).toBe("check the key in OPENAI_API_KEY");
  expect(error.cause).toBeUndefined();
});

test("a web page is told by its title, with the address and what to do", () => {
  const page = "404 <!DOCTYPE html><html><head><title>Not Found</title></head><body>long</body></html>";
  const { error } = classify(Object.assign(new Error(page), { status: 404 }));
  expect(error.message).toBe("OpenAI at https://example.com/v1 answered 404: an HTML page: Not Found");
  expect(error.hint).toMatch(/base URL \(https:\/\/example\.com\/v1\)/);
});

test("a long message is cut", () => {
  expect(classify(api(400, { message: "x".repeat(9000) })).error.message.length).toBeLessThan(600);
});

test("retry-after is read from the error's headers", () => {
  expect(classify(api(429, {}, new Headers({ "retry-after": "3" }))).retryAfterMs).toBe(3000);
});

test("a ModelError keeps its kind", () => {
  const error = new ModelError("network", "x");
  expect(classify(error)).toEqual({ error, retryable: true });
  expect(classify(new ModelError("auth", "x")).retryable).toBe(false);
});

test.each([undefined, null, "text", 5, Object.create(null)])(
  "anything thrown is put somewhere: %s",
  (thrown) => {
    expect(classify(thrown).error.kind).toBe("network");
  },
);
