import { type Message, SetupError, text } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";
import { eventsOf, fakeProvider, reply, runModel, sampleTool, say } from "@toycoder/testing";
import { expect, test } from "vitest";
import { encodeTools } from "./encode-tools.ts";
import { openAiResponses, type ResponsesSettings } from "./model.ts";

const DONE = { status: "completed", output: [], usage: { input_tokens: 1, output_tokens: 1 } };
const PNG = { type: "image" as const, mediaType: "image/png", data: "AAAA" };

/** The body of the request that one call makes. */
async function bodyOf(request: Parameters<typeof runModel>[1], settings: Partial<ResponsesSettings> = {}) {
  await using server = await fakeProvider(reply.json(DONE));
  const own: ModelSettings = {
    model: "gpt-5.5",
    baseURL: `${server.url}/v1`,
    apiKey: "sk-test-123456",
    ...settings,
  };
  const { thrown } = await runModel(openAiResponses(own), request);
  expect(thrown).toBeUndefined();
  return server.requests[0]!.body;
}

test("the request: nothing stored, reasoning encrypted, the session as cache key, settings in their fields", async () => {
  const body = await bodyOf(
    { sessionId: "s-1" },
    { reasoningEffort: "high", maxOutputTokens: 100, temperature: 0.5, quirks: { strictTools: true } },
  );
  expect(body).toEqual({
    model: "gpt-5.5",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "high" },
    instructions: "Be brief.",
    input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
    tools: encodeTools([sampleTool]).tools,
    prompt_cache_key: "s-1",
    max_output_tokens: 100,
    temperature: 0.5,
  });
});

test("a model without reasoning is not asked for any", async () => {
  const body = await bodyOf({}, { model: "gpt-4o-mini", reasoningEffort: "high" });
  expect(body).not.toHaveProperty("include");
  expect(body).not.toHaveProperty("reasoning");
});

test("`strict` is always there: true where a server is known to enforce it, else false with the tool's own schema", async () => {
  expect(encodeTools([sampleTool]).tools[0]).toMatchObject({
    strict: true,
    parameters: {
      required: ["path", "limit"],
      properties: { limit: { anyOf: [{ type: "integer" }, { type: "null" }] } },
    },
  });
  const body = await bodyOf({});
  expect(body.tools).toMatchObject([{ strict: false, parameters: { required: ["path"] } }]);
});

test("a conversation goes out with images, calls and results in the API's own items", async () => {
  const messages: Message[] = [
    { role: "user", content: [text("look"), PNG] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "foreign", data: { provider: "anthropic", value: { signature: "x" } } },
        text("Looking."),
        { type: "tool_call", id: "a", name: "read_file", arguments: { path: "a.png" } },
        { type: "tool_call", id: "b", name: "read_file", arguments: "{broken" },
      ],
    },
    {
      role: "tool",
      results: [{ callId: "a", name: "read_file", ok: true, content: [text("an image"), PNG] }],
    },
  ];
  const { input } = await bodyOf({ messages });
  const url = "data:image/png;base64,AAAA";
  expect(input).toEqual([
    {
      role: "user",
      content: [
        { type: "input_text", text: "look" },
        { type: "input_image", detail: "auto", image_url: url },
      ],
    },
    { role: "assistant", content: "Looking." },
    { type: "function_call", call_id: "a", name: "read_file", arguments: '{"path":"a.png"}' },
    { type: "function_call", call_id: "b", name: "read_file", arguments: "{}" },
    {
      type: "function_call_output",
      call_id: "a",
      output: [
        { type: "input_text", text: "an image" },
        { type: "input_image", detail: "auto", image_url: url },
      ],
    },
    { type: "function_call_output", call_id: "b", output: expect.stringMatching(/^cancelled/) },
  ]);
});

test("an encrypted reasoning item comes out with its text and goes back untouched", async () => {
  const item = {
    id: "rs_1",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "Hm" }],
    encrypted_content: "xyz",
  };
  const call = {
    id: "fc_1",
    type: "function_call",
    call_id: "c1",
    name: "read_file",
    arguments: '{"path":"a"}',
  };
  await using server = await fakeProvider(
    reply.events([
      { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "H" },
      { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "m" },
      { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 1, delta: "So" },
      { type: "response.output_item.done", output_index: 0, item: { ...item, status: "completed" } },
      { type: "response.output_item.done", output_index: 1, item: call },
      { type: "response.completed", response: { ...DONE, output: [item, call] } },
    ]),
    reply.json(DONE),
  );
  const model = openAiResponses({ model: "gpt-5.5", baseURL: `${server.url}/v1`, apiKey: "sk-test-123456" });
  const run = await runModel(model);
  const reasoning = eventsOf(run, "reasoning");
  expect(reasoning.map((event) => event.text)).toEqual(["H", "m", "\n\nSo", ""]);
  const { data } = reasoning.at(-1)!;
  const tool_call = { type: "tool_call" as const, ...eventsOf(run, "tool_call")[0]!.call };
  await runModel(model, {
    messages: [
      say("hi"),
      { role: "assistant", content: [{ type: "reasoning", text: "Hm\n\nSo", data: data! }, tool_call] },
    ],
  });
  expect(server.requests[1]!.body.input).toMatchObject([
    { role: "user" },
    item,
    { type: "function_call", call_id: "c1" },
    { type: "function_call_output", call_id: "c1" },
  ]);
});

test("a reasoning item that nothing follows stays here: the API refuses it", async () => {
  const value = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
  const { input } = await bodyOf({
    messages: [
      say("hi"),
      { role: "assistant", content: [{ type: "reasoning", text: "", data: { provider: "openai", value } }] },
    ],
  });
  expect(input).toHaveLength(1);
});

test("an output schema is strict only where that changes no value", async () => {
  const required = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  expect((await bodyOf({ outputSchema: required })).text).toEqual({
    format: { type: "json_schema", name: "answer", schema: required, strict: true },
  });
  const optional = { ...required, required: [] };
  expect((await bodyOf({ outputSchema: optional })).text).toEqual({
    format: { type: "json_schema", name: "answer", schema: optional, strict: false },
  });
  expect(await bodyOf({ outputSchema: { type: "array" } })).not.toHaveProperty("text");
});

test.each([
  [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "length"],
  [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "refusal"],
  [{ output: [{ type: "message", content: [{ type: "refusal", refusal: "No." }] }] }, "refusal"],
  [{ output: [{ type: "message", content: [{ type: "output_text", text: "Yes." }] }] }, "stop"],
])("the finish of %j is %s", async (more, reason) => {
  await using server = await fakeProvider(reply.json({ ...DONE, ...more }));
  const run = await runModel(
    openAiResponses({ model: "m", baseURL: `${server.url}/v1`, apiKey: "sk-test-123456" }),
  );
  expect(run.events.at(-1)).toEqual({ type: "finish", reason });
});

test("a failed response is an error, and a call that was cut off is none", async () => {
  const failed = {
    type: "response.failed",
    response: { error: { code: "rate_limit_exceeded", message: "slow down" } },
  };
  const cut = {
    type: "function_call",
    status: "incomplete",
    call_id: "c",
    name: "read_file",
    arguments: '{"pa',
  };
  await using server = await fakeProvider(
    reply.events([failed]),
    reply.json({
      ...DONE,
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [cut],
    }),
  );
  const run = await runModel(
    openAiResponses({
      model: "m",
      baseURL: `${server.url}/v1`,
      apiKey: "sk-test-123456",
      retries: { baseMs: 0 },
    }),
  );
  expect(run.events.map(({ type }) => type)).toEqual(["retry", "usage", "finish"]);
  expect(eventsOf(run, "retry")[0]?.error).toMatchObject({ code: "rate_limit" });
});

test("nulls of optional properties are taken out of a strict call", async () => {
  const call = {
    type: "function_call",
    call_id: "c",
    name: "read_file",
    arguments: '{"path":"a","limit":null}',
  };
  await using server = await fakeProvider(reply.json({ ...DONE, output: [call] }));
  const quirks = { strictTools: true };
  const run = await runModel(
    openAiResponses({ model: "m", baseURL: `${server.url}/v1`, apiKey: "sk-test-123456", quirks }),
  );
  expect(eventsOf(run, "tool_call")[0]?.call).toEqual({
    id: "c",
    name: "read_file",
    arguments: { path: "a" },
  });
});

test("settings without a model are refused at once", () => {
  expect(() => openAiResponses({ model: " " })).toThrow(SetupError);
  expect(openAiResponses({ model: "gpt-5.5", contextWindow: 400_000 })).toMatchObject({
    id: "openai:gpt-5.5",
    contextWindow: 400_000,
  });
});
