import type { Message } from "@toycoder/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { capture } from "../test-support/capture.ts";
import { called, say, toolOf } from "../test-support/messages.ts";

const IMAGE = { type: "image" as const, mediaType: "image/png", data: "AAAA" };
const SCHEMA = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
};
const reasoned: Message[] = [
  say("hi"),
  {
    role: "assistant",
    content: [
      {
        type: "reasoning",
        text: "Hm.",
        data: { provider: "openai-chat", value: { field: "reasoning_content" } },
      },
      { type: "tool_call", id: "a", name: "read_file", arguments: "{}" },
    ],
  },
];
const schemaOf = async (quirks: "gemini" | "llama.cpp" | "vllm", input: z.ZodObject): Promise<unknown> => {
  const { body } = await capture({ quirks }, { tools: [toolOf(input)] });
  return (body.tools as { function: { parameters?: unknown } }[])[0]?.function.parameters;
};

test("a server that nothing is known of gets what most take", async () => {
  const { body } = await capture(
    { maxOutputTokens: 9, reasoningEffort: "low" },
    { outputSchema: SCHEMA, sessionId: "s", messages: [...reasoned, say("go on")] },
  );
  expect(body).toMatchObject({
    stream_options: { include_usage: true },
    max_tokens: 9,
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { schema: SCHEMA } },
  });
  expect(body).not.toHaveProperty("prompt_cache_key");
  expect(body.messages[2]).toMatchObject({ content: null, reasoning_content: "Hm." });
  expect(body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
});

describe("ollama", () => {
  test("an answer that only calls tools has a text, which it wants", async () => {
    const { body } = await capture({ quirks: "ollama" }, { messages: [say("hi"), ...called("a")] });
    expect(body.messages[2]).toMatchObject({ content: "", tool_calls: [{ id: "a" }] });
  });

  test("the format of an answer, which keeps models from tools, is sent without tools alone", async () => {
    const tools = [toolOf(z.object({}))];
    const withTools = await capture({ quirks: "ollama" }, { outputSchema: SCHEMA, tools });
    expect(withTools.body).not.toHaveProperty("response_format");
    expect(withTools.body.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
    const without = await capture({ quirks: "ollama" }, { outputSchema: SCHEMA });
    expect(without.body.response_format).toMatchObject({ type: "json_schema" });
    expect(without.body.messages[0]?.content).toBe("Be brief.");
  });
});

test.each(["llama.cpp", "lm-studio"] as const)("%s gets schemas without patterns", async (quirks) => {
  const input = z.object({ id: z.string().regex(/^\d+$/), pattern: z.string(), list: z.array(z.email()) });
  const { body } = await capture({ quirks }, { tools: [toolOf(input)] });
  const [tool] = body.tools as [{ function: { parameters: { properties: object } } }];
  expect(JSON.stringify(tool.function.parameters)).not.toContain('"pattern":"');
  expect(Object.keys(tool.function.parameters.properties)).toEqual(["id", "pattern", "list"]);
  expect(JSON.stringify(await schemaOf("vllm", input))).toContain('"pattern":"^\\\\d+$"');
});

describe("deepseek", () => {
  test("each answer with calls has its reasoning, even where there was none", async () => {
    const messages = [...reasoned, ...called("b")];
    const { body } = await capture({ quirks: "deepseek" }, { messages });
    const answers = body.messages.filter(({ role }) => role === "assistant");
    expect(answers.map((answer) => answer.reasoning_content)).toEqual(["Hm.", ""]);
  });

  test("an output schema is JSON mode, with the schema and the word JSON in the instructions", async () => {
    const { body } = await capture({ quirks: "deepseek" }, { outputSchema: SCHEMA });
    expect(body.response_format).toEqual({ type: "json_object" });
    expect(body.messages[0]?.content).toContain(`fits this JSON Schema:\n${JSON.stringify(SCHEMA)}`);
  });

  test("an image, which it refuses, becomes a note", async () => {
    const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "look" }, IMAGE] }];
    const { body } = await capture({ quirks: "deepseek" }, { messages });
    expect(body.messages[1]?.content).toMatch(/^look\n\n\[An image stood here/);
    const seen = await capture(
      { quirks: { images: true }, baseURL: "https://api.deepseek.com" },
      { messages },
    );
    expect(JSON.stringify(seen.body)).toContain("image_url");
  });

  test.each([
    ["none", { thinking: { type: "disabled" } }],
    ["max", { thinking: { type: "enabled" }, reasoning_effort: "max" }],
  ] as const)("effort %s", async (reasoningEffort, sent) => {
    const { body } = await capture({ quirks: "deepseek", reasoningEffort });
    expect(body).toMatchObject(sent);
    expect("reasoning_effort" in body).toBe("reasoning_effort" in sent);
  });
});

test("qwen: thinking is on or off, an output schema stands in the instructions alone", async () => {
  const { body } = await capture({ quirks: "qwen", reasoningEffort: "high" }, { outputSchema: SCHEMA });
  expect(body).toMatchObject({ enable_thinking: true, stream_options: { include_usage: true } });
  expect(body).not.toHaveProperty("reasoning_effort");
  expect(body).not.toHaveProperty("response_format");
  expect(body.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
  const off = await capture({ quirks: "qwen", reasoningEffort: "none" });
  expect(off.body.enable_thinking).toBe(false);
});

test("groq gets no reasoning back, and no format beside tools", async () => {
  const request = { messages: reasoned, outputSchema: SCHEMA, tools: [toolOf(z.object({}))] };
  const { body } = await capture({ quirks: "groq" }, request);
  expect(JSON.stringify(body.messages)).not.toContain("reasoning");
  expect(body).not.toHaveProperty("response_format");
});

describe("mistral", () => {
  test("call ids are nine letters and digits, the same in call and result", async () => {
    const messages = [say("hi"), ...called("call_0123456789"), ...called("abcDEF123")];
    const { body } = await capture({ quirks: "mistral" }, { messages });
    const [, , first, result, second] = body.messages as [unknown, unknown, ...Record<string, unknown>[]];
    const [call] = first!.tool_calls as [{ id: string }];
    expect(call.id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(result?.tool_call_id).toBe(call.id);
    expect(second?.tool_calls).toMatchObject([{ id: "abcDEF123" }]);
  });

  test("an answer stands between tool results and the user's next message, images of results included", async () => {
    const [call, result] = called("a") as [Message, Extract<Message, { role: "tool" }>];
    const seen: Message = { role: "tool", results: [{ ...result.results[0]!, content: [IMAGE] }] };
    const { body } = await capture({ quirks: "mistral" }, { messages: [say("hi"), call, seen] });
    expect(body.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(body.messages.at(-1))).toContain("data:image/png;base64,AAAA");
  });

  test("fields that it doesn't know are not sent", async () => {
    const { body } = await capture({ quirks: "mistral", maxOutputTokens: 5 }, { messages: reasoned });
    expect(body).toMatchObject({ max_tokens: 5 });
    expect(body).not.toHaveProperty("stream_options");
    expect(JSON.stringify(body)).not.toContain("reasoning_content");
  });
});

describe("gemini", () => {
  const data = {
    provider: "openai-chat",
    value: { extra_content: { google: { thought_signature: "Sig" } } },
  };

  test("a call's signature goes back with it", async () => {
    const messages = [say("hi"), ...called("a", { data })];
    for (const quirks of ["gemini", "vllm"] as const) {
      const { body } = await capture({ quirks }, { messages });
      expect(body.messages[2]?.tool_calls).toMatchObject([
        { extra_content: { google: { thought_signature: "Sig" } } },
      ]);
    }
    for (const quirks of ["mistral", "groq"] as const) {
      expect(JSON.stringify((await capture({ quirks }, { messages })).body)).not.toContain("extra_content");
    }
  });

  test("the first call of an answer that nobody signed gets the word that stands for a signature", async () => {
    const [call, results] = called("a") as [Extract<Message, { role: "assistant" }>, Message];
    const both: Message = {
      role: "assistant",
      content: [...call.content, { ...call.content[0]!, id: "b" } as never],
    };
    const { body } = await capture({ quirks: "gemini" }, { messages: [say("hi"), both, results] });
    const [first, second] = body.messages[2]!.tool_calls as Record<string, unknown>[];
    expect(first?.extra_content).toEqual({
      google: { thought_signature: "skip_thought_signature_validator" },
    });
    expect(second).not.toHaveProperty("extra_content");
  });

  test("schemas hold only what it knows; a tool without parameters has none", async () => {
    expect(await schemaOf("gemini", z.object({}))).toBeUndefined();
    const point = z.object({ x: z.number().gt(0) }).meta({ id: "Point" });
    const input = z.object({
      mode: z.literal("fast"),
      level: z.literal(3).describe("How deep."),
      place: point.nullable(),
      more: z.array(point).max(3),
      either: z.union([z.string(), z.number()]).optional(),
      env: z.record(z.string(), z.string()).describe("Variables."),
      at: z.iso.datetime(),
      mail: z.email(),
      any: z.unknown(),
      pair: z.tuple([z.string(), z.boolean()]),
    });
    const numbers = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };
    expect(await schemaOf("gemini", input)).toMatchObject({
      type: "object",
      properties: {
        mode: { type: "string", enum: ["fast"] },
        level: { type: "number", description: "How deep. One of [3]." },
        place: { ...numbers, nullable: true },
        more: { type: "array", items: numbers, maxItems: 3 },
        either: { anyOf: [{ type: "string" }, { type: "number" }] },
        env: { type: "string", description: "Variables. Written as JSON." },
        at: { type: "string", format: "date-time" },
        any: { type: "string", description: "Written as JSON." },
        pair: { type: "array", items: { anyOf: [{ type: "string" }, { type: "boolean" }] } },
      },
    });
    const text = JSON.stringify(await schemaOf("gemini", input));
    expect(text).not.toMatch(
      /additionalProperties|\$ref|\$defs|\$schema|const|exclusive|email"|propertyNames/,
    );
  });

  test("a schema that holds itself ends in a text of JSON", async () => {
    const node: z.ZodObject = z.object({
      name: z.string(),
      get children() {
        return z.array(node);
      },
    });
    expect(JSON.stringify(await schemaOf("gemini", z.object({ root: node })))).toContain("Written as JSON.");
  });

  test("tools have no `strict`", async () => {
    const { body } = await capture({ quirks: "gemini" }, { tools: [toolOf(z.object({ a: z.string() }))] });
    expect(JSON.stringify(body.tools)).not.toContain("strict");
  });
});
