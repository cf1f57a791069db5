import type { AssistantPart, Message, ModelEvent } from "@toycoder/core";
import { expect, test } from "vitest";
import { capture } from "../test-support/capture.ts";
import { say } from "../test-support/messages.ts";
import { openAiCompatible } from "./model.ts";

/** The parts of an answer that comes in these deltas, as the agent keeps them. */
async function answer(...deltas: object[]): Promise<AssistantPart[]> {
  const chunks = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: "tool_calls" }];
  const text = chunks.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  const fetch = () =>
    Promise.resolve(new Response(text.join(""), { headers: { "content-type": "text/event-stream" } }));
  const model = openAiCompatible({ model: "m", baseURL: "http://127.0.0.1:9/v1", fetch });
  const events: ModelEvent[] = [];
  const request = { instructions: "", messages: [say("hi")], tools: [] };
  for await (const event of model.stream(request, { signal: new AbortController().signal }))
    events.push(event);
  return events.flatMap((event): AssistantPart[] => {
    if (event.type === "reasoning") return [event];
    return event.type === "tool_call" ? [{ type: "tool_call", ...event.call }] : [];
  });
}

const sentBack = async (content: AssistantPart[]): Promise<Record<string, unknown> | undefined> => {
  const messages: Message[] = [say("hi"), { role: "assistant", content }];
  return (await capture({}, { messages })).body.messages[2];
};

test("calls of Gemini, without index and in chunks of their own, keep their signatures through a turn", async () => {
  const signed = { extra_content: { google: { thought_signature: "Sig" } } };
  const call = (id: string, path: string) => ({
    id,
    type: "function",
    function: { name: "read_file", arguments: `{"path":"${path}"}` },
  });
  const parts = await answer(
    { tool_calls: [{ ...call("x1", "a"), ...signed }] },
    { tool_calls: [call("x2", "b")] },
  );
  expect(parts).toMatchObject([
    { id: "x1", data: { value: signed } },
    { id: "x2", arguments: '{"path":"b"}' },
  ]);
  expect((await sentBack(parts))?.tool_calls).toMatchObject([{ id: "x1", ...signed }, { id: "x2" }]);
});

test("OpenRouter's reasoning details, which come in pieces, go back whole and in order", async () => {
  const details = (...list: object[]) => ({ reasoning_details: list });
  const parts = await answer(
    { reasoning: "I", ...details({ type: "reasoning.text", index: 0, text: "I" }) },
    { reasoning: " see", ...details({ type: "reasoning.text", index: 0, text: " see", signature: null }) },
    details({ type: "reasoning.text", index: 0, signature: "Sig" }),
    { tool_calls: [{ index: 0, id: "a", function: { name: "read_file", arguments: "{}" } }] },
    details({ type: "reasoning.encrypted", index: 1, data: "ABC", id: "a" }),
  );
  const message = await sentBack(parts);
  expect(message?.reasoning_details).toEqual([
    { type: "reasoning.text", index: 0, text: "I see", signature: "Sig" },
    { type: "reasoning.encrypted", index: 1, data: "ABC", id: "a" },
  ]);
  expect(message).not.toHaveProperty("reasoning");
});

test.each([
  [500, "tools param requires --jinja flag", /--jinja/],
  [
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    /start vLLM/,
  ],
  [400, "registry.ollama.ai/library/gemma3:4b does not support tools", /ollama\.com\/search/],
])("%d %s is final, and says what to do", async (status, message, hint) => {
  let requests = 0;
  const fetch = () => {
    requests++;
    return Promise.resolve(Response.json({ error: { message } }, { status }));
  };
  const model = openAiCompatible({ model: "m", baseURL: "http://127.0.0.1:9/v1", fetch });
  const run = async (): Promise<void> => {
    const request = { instructions: "", messages: [say("hi")], tools: [] };
    for await (const _ of model.stream(request, { signal: new AbortController().signal }));
  };
  await expect(run()).rejects.toMatchObject({
    kind: "invalid_request",
    message: `the server answered ${status}: ${message}`,
    hint: expect.stringMatching(hint),
  });
  expect(requests).toBe(1);
});
