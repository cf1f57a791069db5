import { type Message, text } from "@toycoder/core";
import { encodeToolsFor } from "@toycoder/core/wire";
import { expect, test } from "vitest";
import { schemaRules } from "../schema-rules.ts";
import { encodeMessages, messageEncoder } from "./encode-messages.ts";

const { codec } = encodeToolsFor([], schemaRules(false), (tool) => tool);
const encode = (messages: readonly Message[]): unknown[] =>
  encodeMessages("", messages, messageEncoder(codec, { returnReasoning: false }));
const say = (...texts: string[]): Message => ({ role: "user", content: texts.map((one) => text(one)) });
const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
const url = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

test("what the user says in a row is one message, images in their place", () => {
  expect(encode([say("a"), say("b", "c")])).toEqual([{ role: "user", content: "a\n\nb\n\nc" }]);
  expect(encode([say("a"), { role: "user", content: [image] }, say("b")])).toEqual([
    { role: "user", content: [{ type: "text", text: "a" }, url, { type: "text", text: "b" }] },
  ]);
});

test("images of tool results and the user's next words are one message", () => {
  const call = { type: "tool_call", id: "call_1", name: "look", arguments: "{}" } as const;
  const result = { callId: "call_1", name: "look", ok: true, content: [text("seen"), image] };
  const encoded = encode([
    say("a"),
    { role: "assistant", content: [call] },
    { role: "tool", results: [result] },
    say("b"),
  ]);
  expect(encoded.map((message) => (message as { role: string }).role)).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
  ]);
  expect(encoded.at(-1)).toMatchObject({
    content: expect.arrayContaining([url, { type: "text", text: "b" }]) as unknown,
  });
});
