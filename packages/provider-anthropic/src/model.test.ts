import { type Message, SetupError, text } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";
import { eventsOf, fakeProvider, reply, runModel, sampleTool, say } from "@toycoder/testing";
import { expect, test } from "vitest";
import * as z from "zod";
import { anthropic, encodeTools } from "./index.ts";
import { block, message, MESSAGES } from "./test-support/messages-wire.ts";

const PNG = { type: "image" as const, mediaType: "image/png", data: "AAAA" };
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const MARK = { cache_control: { type: "ephemeral" } };

async function bodyOf(request: Parameters<typeof runModel>[1], settings: Partial<ModelSettings> = {}) {
  await using server = await fakeProvider(reply.json(MESSAGES.wire.json({ text: "ok" })));
  const { thrown } = await runModel(
    anthropic({ model: "claude-opus-5", baseURL: server.url, apiKey: "sk-ant-123456", ...settings }),
    request,
  );
  expect(thrown).toBeUndefined();
  return server.requests[0]!.body;
}

const turn = (id: string): Message[] => [
  { role: "assistant", content: [{ type: "tool_call", id, name: "read_file", arguments: '{"path":"a"}' }] },
  { role: "tool", results: [{ callId: id, name: "read_file", ok: true, content: [text(id)] }] },
];

test("the request, with marks for the cache on tools, system and the last two turns", async () => {
  const body = await bodyOf({ messages: [say("hi"), ...turn("a"), ...turn("b")] });
  expect(body).toEqual({
    model: "claude-opus-5",
    stream: true,
    max_tokens: 32_000,
    system: [{ type: "text", text: "Be brief.", ...MARK }],
    tools: [{ ...encodeTools([sampleTool]).tools[0], ...MARK }],
    messages: [
      { role: "user", content: [{ type: "text", text: "hi" }] },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "a", name: "read_file", input: { path: "a" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "a" }], ...MARK }],
      },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "b", name: "read_file", input: { path: "a" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "b" }], ...MARK }],
      },
    ],
  });
  expect(JSON.stringify(body).split("cache_control")).toHaveLength(5);
});

test("images go in the user's content and in results; failures are marked; the user's next words join the results", async () => {
  const messages: Message[] = [
    { role: "user", content: [text("look"), text("  "), PNG] },
    {
      role: "assistant",
      content: [
        { type: "tool_call", id: "a", name: "read_file", arguments: "{}" },
        { type: "tool_call", id: "functions.x:1", name: "read_file", arguments: "{}" },
      ],
    },
    { role: "tool", results: [{ callId: "a", name: "read_file", ok: true, content: [PNG] }] },
    say("go on"),
  ];
  const { messages: encoded } = await bodyOf({ messages });
  expect(encoded).toMatchObject([
    { role: "user", content: [{ type: "text", text: "look" }, IMAGE] },
    { role: "assistant", content: [{ id: "a" }, { id: expect.stringMatching(/^call_/) }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: [IMAGE] },
        { type: "tool_result", tool_use_id: expect.stringMatching(/^call_/), is_error: true },
        { type: "text", text: "go on" },
      ],
    },
  ]);
});

test("thinking goes back as it came, signed or redacted; that of other providers does not", async () => {
  await using server = await fakeProvider(
    reply.events(
      message(
        [
          ...block(
            0,
            { type: "thinking", thinking: "", signature: "" },
            { type: "thinking_delta", thinking: "H" },
            { type: "thinking_delta", thinking: "m" },
            { type: "signature_delta", signature: "sig" },
          ),
          ...block(1, { type: "redacted_thinking", data: "secret" }),
          ...block(
            2,
            { type: "tool_use", id: "a", name: "read_file", input: {} },
            { type: "input_json_delta", partial_json: '{"path":"a"}' },
          ),
        ],
        { stop: "tool_use" },
      ),
    ),
  );
  const run = await runModel(anthropic({ model: "m", baseURL: server.url, apiKey: "sk-ant-123456" }));
  const reasoning = eventsOf(run, "reasoning");
  expect(reasoning.map((event) => event.text)).toEqual(["H", "m", "", ""]);
  const data = reasoning.flatMap((event) => event.data ?? []);
  const messages: Message[] = [
    say("hi"),
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm", data: data[0]! },
        { type: "reasoning", text: "", data: data[1]! },
        { type: "reasoning", text: "other", data: { provider: "openai", value: {} } },
        { type: "tool_call", ...eventsOf(run, "tool_call")[0]!.call },
      ],
    },
  ];
  const body = await bodyOf({ messages });
  expect(body.messages).toMatchObject([
    { role: "user" },
    {
      content: [
        { type: "thinking", thinking: "Hm", signature: "sig" },
        { type: "redacted_thinking", data: "secret" },
        { type: "tool_use" },
      ],
    },
    { role: "user" },
  ]);
});

test.each([
  [
    "claude-opus-5",
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  ],
  [
    "claude-sonnet-4-6",
    { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  ],
  ["claude-sonnet-4-5", { thinking: { type: "enabled", budget_tokens: 16_384 } }],
  ["claude-sonnet-4-20250514", { thinking: { type: "enabled", budget_tokens: 16_384 } }],
  ["claude-3-7-sonnet-latest", { thinking: { type: "enabled", budget_tokens: 16_384 } }],
])("%s thinks as it can, and without a temperature of ours", async (model, expected) => {
  const body = await bodyOf({}, { model, reasoningEffort: "high", temperature: 0.5 });
  expect(body).toMatchObject(expected);
  expect(body).not.toHaveProperty("temperature");
});

test("settings in their fields: no thinking, a temperature, a limit that a budget stays under", async () => {
  const body = await bodyOf({}, { reasoningEffort: "none", temperature: 0.5, maxOutputTokens: 9 });
  expect(body).toMatchObject({ thinking: { type: "disabled" }, temperature: 0.5, max_tokens: 9 });
  const model = "claude-haiku-4-5";
  expect(await bodyOf({}, { model, reasoningEffort: "max", maxOutputTokens: 4096 })).toMatchObject({
    thinking: { budget_tokens: 3072 },
  });
  expect(await bodyOf({}, { model, reasoningEffort: "low", maxOutputTokens: 1500 })).not.toHaveProperty(
    "thinking",
  );
  expect(await bodyOf({}, { model: "claude-3-5-haiku-latest" })).toMatchObject({ max_tokens: 8192 });
});

test("an output schema is asked for where structured outputs can say it", async () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 } },
    additionalProperties: false,
  };
  expect((await bodyOf({ outputSchema: schema })).output_config).toMatchObject({
    format: { type: "json_schema", schema: { type: "object", properties: { n: { type: "integer" } } } },
  });
  const open = { type: "object", properties: {}, additionalProperties: { type: "string" } };
  expect(await bodyOf({ outputSchema: open })).not.toHaveProperty("output_config");
  for (const model of ["claude-3-7-sonnet-latest", "claude-opus-4-1-20250805", "claude-sonnet-4-0"])
    expect(await bodyOf({ outputSchema: schema }, { model })).not.toHaveProperty("output_config");
  for (const model of ["claude-sonnet-4-5-20250929", "claude-opus-4-5", "claude-haiku-5-5"])
    expect(await bodyOf({ outputSchema: schema }, { model })).toHaveProperty("output_config");
});

test("tools: a root union is flattened, a name of 128 characters stays, a longer one gets an alias", () => {
  const shape = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a"), x: z.string() }),
    z.object({ kind: z.literal("b"), y: z.string() }),
  ]);
  const jsonSchema = { type: "object", ...z.toJSONSchema(shape) } as never;
  const names = ["n".repeat(128), "n".repeat(129)];
  const { tools, codec } = encodeTools(names.map((name) => ({ ...sampleTool, name, jsonSchema })));
  expect(tools[0]!.input_schema).toMatchObject({
    type: "object",
    properties: { kind: { enum: ["a", "b"] }, x: { type: "string" }, y: { type: "string" } },
    required: ["kind"],
  });
  expect(JSON.stringify(tools)).not.toMatch(/oneOf|anyOf|allOf/);
  expect(tools.map(({ name }) => name.length)).toEqual([128, 128]);
  expect(codec.decodeName(tools[1]!.name)).toBe(names[1]);
});

test("settings without a model are refused at once", () => {
  expect(() => anthropic({ model: "" })).toThrow(SetupError);
  expect(anthropic({ model: "claude-opus-5" }).id).toBe("anthropic:claude-opus-5");
});
