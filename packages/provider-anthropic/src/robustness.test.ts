import type { ModelSettings } from "@toycoder/core/wire";
import { eventsOf, fakeProvider, reply, runModel } from "@toycoder/testing";
import { expect, test, vi } from "vitest";
import { anthropic } from "./model.ts";
import { MESSAGES } from "./test-support/messages-wire.ts";

const KEY = "sk-ant-test-0123456789abcdef";
const settings = (baseURL: string): ModelSettings => ({
  model: "claude-test",
  baseURL,
  apiKey: KEY,
  retries: { random: () => 0, sleep: () => Promise.resolve() },
});
const { events, fault } = MESSAGES.wire;
const whole = reply.events(events({ text: "Hello" }));

// What every provider has to keep is in model-contract.test.ts; these are the words and ways of Anthropic's own.

test("a base URL with /v1 is as good as one without", async () => {
  await using server = await fakeProvider(whole);
  expect((await runModel(anthropic(settings(`${server.url}/v1`)))).text).toBe("Hello");
  expect(server.requests[0]?.path).toBe("/v1/messages");
});

test("overloaded says so, as a status and within the stream", async () => {
  const { status, body, event } = fault("overloaded", "Overloaded");
  await using server = await fakeProvider(reply.status(status, body), reply.events([event]), whole);
  const run = await runModel(anthropic(settings(server.url)));
  expect(run.text).toBe("Hello");
  expect(eventsOf(run, "retry").map((retry) => retry.error)).toEqual([
    { code: "overloaded", message: "Anthropic answered 529: Overloaded" },
    { code: "overloaded", message: "Anthropic answered 529: Overloaded" },
  ]);
});

test("a key that is refused says where it comes from", async () => {
  const { status, body } = fault("auth", "invalid x-api-key");
  await using server = await fakeProvider(reply.status(status, body));
  expect((await runModel(anthropic(settings(server.url)))).thrown).toMatchObject({
    kind: "auth",
    status: 401,
    hint: "check the key in ANTHROPIC_API_KEY",
  });
});

test("without a key there is no request, and a word on where to put one", async () => {
  await using server = await fakeProvider(whole);
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "");
  const { apiKey: _, ...keyless } = settings(server.url);
  const { thrown } = await runModel(anthropic(keyless));
  expect(thrown).toMatchObject({ kind: "auth", message: "there is no key for Anthropic" });
  expect(server.requests).toHaveLength(0);
  vi.unstubAllEnvs();
});

test("the SDK's own variables are honoured", async () => {
  await using server = await fakeProvider(whole);
  vi.stubEnv("ANTHROPIC_BASE_URL", server.url);
  vi.stubEnv("ANTHROPIC_API_KEY", "");
  vi.stubEnv("ANTHROPIC_AUTH_TOKEN", "token-from-env");
  const run = await runModel(anthropic({ model: "claude-test" }));
  vi.unstubAllEnvs();
  expect(run.text).toBe("Hello");
  expect(server.requests[0]?.headers.authorization).toBe("Bearer token-from-env");
});

test("a wrong address shows the URL and what to try", async () => {
  await using server = await fakeProvider(
    reply.status(404, "<html><title>Nothing here</title></html>"),
    reply.status(200, "<html></html>"),
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
