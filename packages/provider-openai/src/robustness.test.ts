import { eventsOf, fakeProvider, reply, runModel } from "@toycoder/testing";
import { describe, expect, test, vi } from "vitest";
import { openAiChat } from "./chat/model.ts";
import { openAiResponses } from "./responses/model.ts";
import { RESPONSES } from "./test-support/responses-wire.ts";
import { CHAT } from "./test-support/subjects.ts";

const KEY = "sk-test-0123456789abcdef";
const settings = (origin: string) => ({
  model: "gpt-test",
  baseURL: `${origin}/v1`,
  apiKey: KEY,
  retries: { random: () => 0, sleep: () => Promise.resolve() },
});
const APIS = [
  { name: "responses", path: "/v1/responses", make: openAiResponses, ...RESPONSES.wire },
  { name: "chat", path: "/v1/chat/completions", make: openAiChat, ...CHAT.wire },
];

// What every provider has to keep is in model-contract.test.ts; these are the words and ways of OpenAI's own.
describe.each(APIS)("$name", (api) => {
  const whole = reply.events(api.events({ text: "Hello" }));

  test("a request goes to the API's path with the key as bearer", async () => {
    await using server = await fakeProvider(whole);
    await runModel(api.make(settings(server.url)));
    expect(server.requests[0]).toMatchObject({ path: api.path, headers: { authorization: `Bearer ${KEY}` } });
  });

  test("a failure says who answered, with what; within a stream too", async () => {
    const { event } = api.fault("server_error", "The server had an error");
    await using server = await fakeProvider(
      reply.events([event]),
      reply.status(500, { error: { message: "down" } }),
      whole,
    );
    const run = await runModel(api.make(settings(server.url)));
    expect(eventsOf(run, "retry").map(({ error }) => error)).toEqual([
      { code: "overloaded", message: "OpenAI answered 500: The server had an error" },
      { code: "overloaded", message: "OpenAI answered 500: down" },
    ]);
  });

  test("a key that is refused says where it comes from", async () => {
    await using server = await fakeProvider(
      reply.status(401, { error: { message: "Incorrect API key provided", code: "invalid_api_key" } }),
    );
    const { thrown } = await runModel(api.make(settings(server.url)));
    expect(thrown).toMatchObject({ kind: "auth", status: 401, hint: "check the key in OPENAI_API_KEY" });
  });

  test("without a key there is no request, and a word on where to put one", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    await using server = await fakeProvider(whole);
    const { apiKey: _, ...keyless } = settings(server.url);
    const { thrown } = await runModel(api.make(keyless));
    expect(thrown).toMatchObject({ kind: "auth", message: "there is no key for OpenAI" });
    expect(server.requests).toHaveLength(0);
    vi.unstubAllEnvs();
  });

  test("the SDK's own variables are honoured", async () => {
    await using server = await fakeProvider(whole);
    vi.stubEnv("OPENAI_API_KEY", "sk-from-env");
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    const run = await runModel(api.make({ model: "gpt-test" }));
    vi.unstubAllEnvs();
    expect(run.text).toBe("Hello");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-from-env");
  });

  test.each([
    [404, "<!doctype html><html><title>Nothing here</title></html>", "an HTML page: Nothing here"],
    [404, { detail: "Not Found" }, "Not Found"],
    [404, { error: "model 'x' not found" }, "model 'x' not found"],
  ])("a wrong address (%d %j) shows the URL and what to try", async (code, body, said) => {
    await using server = await fakeProvider(reply.status(code, body));
    const { thrown } = await runModel(api.make(settings(server.url)));
    expect(thrown).toMatchObject({
      kind: "invalid_request",
      message: `OpenAI at ${server.url}/v1 answered 404: ${said}`,
    });
    expect((thrown as { hint: string }).hint).toMatch(/base URL/);
    expect(server.requests).toHaveLength(1);
  });

  test("a web page with status 200 is a wrong address, not a model's answer", async () => {
    await using server = await fakeProvider(reply.status(200, "<html><title>Login</title></html>"));
    const { thrown } = await runModel(api.make(settings(server.url)));
    expect((thrown as Error).message).toContain(`${server.url}/v1 answered with an HTML page: Login`);
  });

  test("nobody at the address: the address and the network's code are named", async () => {
    const server = await fakeProvider(whole);
    await server[Symbol.asyncDispose]();
    const { thrown } = await runModel(api.make({ ...settings(server.url), retries: 0 }));
    expect(thrown).toMatchObject({ message: `no answer from OpenAI at ${server.url}/v1: ECONNREFUSED` });
  });

  test("headers, and a fetch of one's own, go with every request", async () => {
    await using server = await fakeProvider(whole);
    const urls: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      urls.push(String(input));
      return globalThis.fetch(input, init);
    };
    await runModel(api.make({ ...settings(server.url), headers: { "x-team": "blue" }, fetch }));
    expect(server.requests[0]?.headers["x-team"]).toBe("blue");
    expect(urls).toHaveLength(1);
  });
});
