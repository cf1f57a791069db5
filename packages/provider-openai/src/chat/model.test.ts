import { defineTool, type Message, text, type Tool } from "@toycoder/core";
import { eventsOf, fakeProvider, reply, runModel, sampleTool, say } from "@toycoder/testing";
import { expect, test, vi } from "vitest";
import * as z from "zod";
import { encodeTools } from "./encode-tools.ts";
import { type ChatSettings, openAiChat, openAiCompatible } from "./model.ts";

const DONE = { choices: [{ index: 0, message: { content: "ok" }, finish_reason: "stop" }] };
const PNG = { type: "image" as const, mediaType: "image/png", data: "AAAA" };

async function bodyOf(
  request: Parameters<typeof runModel>[1],
  settings: Partial<ChatSettings> = {},
  make: typeof openAiChat = openAiChat,
) {
  await using server = await fakeProvider(reply.json(DONE));
  const { thrown } = await runModel(
    make({ model: "m", baseURL: `${server.url}/v1`, apiKey: "sk-test-123456", ...settings }),
    request,
  );
  expect(thrown).toBeUndefined();
  return server.requests[0]!.body;
}

/** What comes of deltas, each in a chunk of its own. */
async function decode(...choices: object[]) {
  await using server = await fakeProvider(
    reply.events(choices.map((choice) => ({ choices: [{ index: 0, ...choice }] }))),
  );
  return await runModel(openAiCompatible({ model: "m", baseURL: `${server.url}/v1`, retries: 0 }));
}
const calls = (...toolCalls: object[]): object => ({ delta: { tool_calls: toolCalls } });
const finish = (reason: string): object => ({ delta: {}, finish_reason: reason });

test("the request to OpenAI", async () => {
  const settings = {
    reasoningEffort: "low",
    maxOutputTokens: 9,
    temperature: 0,
    quirks: { strictTools: true },
  } as const;
  expect(await bodyOf({ sessionId: "x".repeat(70) }, settings)).toEqual({
    model: "m",
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ],
    tools: encodeTools([sampleTool]).tools,
    prompt_cache_key: expect.stringMatching(/^[0-9a-f]{64}$/),
    reasoning_effort: "low",
    max_completion_tokens: 9,
    temperature: 0,
  });
});

test("the request to a compatible server: its field names, no key, nothing of OpenAI's own", async () => {
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_ORG_ID", "org-secret");
  await using server = await fakeProvider(reply.json(DONE));
  const model = openAiCompatible({ model: "qwen3", baseURL: `${server.url}/v1`, maxOutputTokens: 9 });
  const run = await runModel(model, { sessionId: "s" });
  vi.unstubAllEnvs();
  expect(run).toMatchObject({ thrown: undefined, text: "ok" });
  expect(model.id).toBe("openai-compatible:qwen3");
  const { body, headers } = server.requests[0]!;
  expect(body).toMatchObject({ max_tokens: 9, tools: [{ function: { strict: false } }] });
  expect(body).not.toHaveProperty("prompt_cache_key");
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("openai-organization");
});

test("quirks leave out what a server refuses", async () => {
  const body = await bodyOf(
    { outputSchema: { type: "object" } },
    { quirks: { strictField: false, streamUsage: false, outputSchema: "json_object" } },
    openAiCompatible,
  );
  expect(body).not.toHaveProperty("stream_options");
  expect(body.tools).toMatchObject([{ function: { name: "read_file" } }]);
  expect(JSON.stringify(body.tools)).not.toContain("strict");
  expect(body.response_format).toEqual({ type: "json_object" });
});

test("a compatible server needs a base URL, from the settings or the environment", () => {
  vi.stubEnv("OPENAI_BASE_URL", "");
  expect(() => openAiCompatible({ model: "m" })).toThrow(/openai-compatible:m needs the server's base URL/);
  vi.stubEnv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1");
  expect(openAiCompatible({ model: "m" }).id).toBe("openai-compatible:m");
  vi.unstubAllEnvs();
});

test("images go with the user's text; those of results follow as the user's, after all results", async () => {
  const messages: Message[] = [
    { role: "user", content: [text("look"), PNG] },
    {
      role: "assistant",
      content: [
        { type: "tool_call", id: "a", name: "read_file", arguments: '{"path":"a"}' },
        { type: "tool_call", id: "b", name: "read_file", arguments: "" },
      ],
    },
    {
      role: "tool",
      results: [
        { callId: "a", name: "read_file", ok: true, content: [PNG] },
        { callId: "b", name: "read_file", ok: true, content: [text("b")] },
      ],
    },
  ];
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  expect((await bodyOf({ messages, instructions: "" })).messages).toEqual([
    { role: "user", content: [{ type: "text", text: "look" }, image] },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } },
        { id: "b", type: "function", function: { name: "read_file", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "The result is the image that follows." },
    { role: "tool", tool_call_id: "b", content: "b" },
    { role: "user", content: [{ type: "text", text: "From the result of read_file (a):" }, image] },
  ]);
});

test("an output schema is asked for with its name", async () => {
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  expect((await bodyOf({ outputSchema: schema })).response_format).toEqual({
    type: "json_schema",
    json_schema: { name: "answer", schema, strict: true },
  });
});

test("arguments that never came are {}, an object is taken as it is, an empty name stays for dispatch to report", async () => {
  const run = await decode(
    calls({ index: 0, id: "a", function: { name: "read_file", arguments: null } }),
    calls({ index: 1, id: "b", function: { name: "read_file", arguments: { path: "b" } } }),
    calls({ index: 2, id: "c", function: { name: "", arguments: "{}" } }),
    finish("tool_calls"),
  );
  expect(eventsOf(run, "tool_call").map(({ call }) => [call.name, call.arguments])).toEqual([
    ["read_file", "{}"],
    ["read_file", { path: "b" }],
    ["", "{}"],
  ]);
});

test("an empty finish reason in every chunk is none", async () => {
  const run = await decode({ delta: { content: "a" }, finish_reason: "" });
  expect(run.thrown).toMatchObject({ kind: "network" });
});

test("two finish chunks are one finish, text after it is kept, usage counts once", async () => {
  const usage = (n: number) => ({ choices: [], usage: { prompt_tokens: n, completion_tokens: n } });
  const chunk = (choice: object) => ({ choices: [{ index: 0, ...choice }], usage: null });
  await using server = await fakeProvider(
    reply.events([
      usage(1),
      chunk({ delta: { content: "a" } }),
      chunk(finish("length")),
      chunk(finish("stop")),
      chunk({ delta: { content: "b" } }),
      usage(7),
    ]),
  );
  const run = await runModel(openAiCompatible({ model: "m", baseURL: `${server.url}/v1` }));
  expect(run.text).toBe("ab");
  expect(eventsOf(run, "usage")).toMatchObject([{ usage: { inputTokens: 7, outputTokens: 7 } }]);
  expect(eventsOf(run, "finish")).toEqual([{ type: "finish", reason: "length" }]);
});

test.each([
  [[{ delta: { refusal: "No." } }, finish("stop")], "refusal"],
  [[{ delta: { content: "x" } }, finish("content_filter")], "refusal"],
  [[{ delta: { content: "x" } }, finish("eos")], "stop"],
  [[finish("tool_calls")], "stop"],
])("the finish of %j is %s", async (choices, reason) => {
  expect((await decode(...choices)).events.at(-1)).toEqual({ type: "finish", reason });
});

test("reasoning comes out apart, and goes back in its own field with the calls that it led to", async () => {
  const call = { index: 0, id: "a", function: { name: "read_file", arguments: '{"path":"a"}' } };
  const run = await decode(
    { delta: { reasoning_content: "Hm" } },
    { delta: { reasoning_content: "." } },
    calls(call),
    finish("tool_calls"),
  );
  const reasoning = eventsOf(run, "reasoning");
  expect(reasoning.map((event) => event.text).join("")).toBe("Hm.");
  const { data } = reasoning.at(-1)!;
  expect(data).toEqual({ provider: "openai-chat", value: { field: "reasoning_content" } });
  const part = { type: "tool_call" as const, ...eventsOf(run, "tool_call")[0]!.call };
  const messages: Message[] = [
    say("hi"),
    { role: "assistant", content: [{ type: "reasoning", text: "Hm.", data: data! }, part] },
  ];
  expect((await bodyOf({ messages }, {}, openAiCompatible)).messages).toContainEqual(
    expect.objectContaining({ reasoning_content: "Hm." }),
  );
  expect(JSON.stringify(await bodyOf({ messages }))).not.toContain("reasoning_content");
});

test("a tool that cannot be encoded is left out and reported, the call goes on", async () => {
  const bad = defineTool({
    name: "bad",
    description: "Bad.",
    input: z.object({ at: z.date() }),
    execute: () => "",
  }) as Tool;
  const skipped: string[] = [];
  const onSkipped: ChatSettings["onSkipped"] = (list) => void skipped.push(...list.map(({ name }) => name));
  const body = await bodyOf({ tools: [bad, sampleTool] }, { onSkipped });
  expect(body.tools).toHaveLength(1);
  expect(skipped).toEqual(["bad"]);
});

test("what a compatible server says about a failure is shown, in whatever shape", async () => {
  await using server = await fakeProvider((response) => {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(
      '{"object":"error","message":"This model\'s maximum context length is 4096 tokens.","code":400}',
    );
  });
  const { thrown } = await runModel(openAiCompatible({ model: "m", baseURL: `${server.url}/v1` }));
  expect(thrown).toMatchObject({ kind: "context_overflow", message: expect.stringContaining("4096 tokens") });
});
