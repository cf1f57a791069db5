import type { Model } from "@toycoder/core";
import { eventsOf, fakeProvider, reply, runModel } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { openAiChat, openAiCompatible } from "./chat/model.ts";
import { knownFacts } from "./model-facts.ts";
import { openAiResponses } from "./responses/model.ts";
import { RESPONSES } from "./test-support/responses-wire.ts";
import { CHAT } from "./test-support/subjects.ts";

const USAGE = {
  inputTokens: 10,
  cacheReadTokens: 4,
  cacheWriteTokens: 0,
  outputTokens: 3,
  reasoningTokens: 0,
};
const APIS = [
  { ...RESPONSES, model: openAiResponses },
  { ...CHAT, model: openAiChat },
];

const cost = (input: number, output: number, read: number): number =>
  (6 * input + 4 * read + 3 * output) / 1_000_000;

async function costOfOneCall(model: Model): Promise<number | undefined> {
  const run = await runModel(model);
  expect(run.thrown).toBeUndefined();
  return eventsOf(run, "usage")[0]?.costUsd;
}

describe.each(APIS)("$name", ({ model, wire }) => {
  it("prices a call of a known model, with its cache, and none of an unknown one", async () => {
    await using server = await fakeProvider(reply.events(wire.events({ text: "hi", usage: USAGE })));
    const settings = { baseURL: `${server.url}/v1`, apiKey: "sk-test" };
    const known = model({ ...settings, model: "gpt-5-mini-2025-08-07" });
    expect(await costOfOneCall(known)).toBeCloseTo(cost(0.25, 2, 0.025), 12);
    expect(await costOfOneCall(model({ ...settings, model: "gpt-of-tomorrow" }))).toBeUndefined();
    const own = model({ ...settings, model: "gpt-5-mini", prices: { input: 100, output: 200 } });
    expect(await costOfOneCall(own)).toBeCloseTo(cost(100, 200, 100), 12);
  });
});

it("prices an OpenAI model's name at another server by the settings alone", async () => {
  await using server = await fakeProvider(reply.events(CHAT.wire.events({ text: "hi", usage: USAGE })));
  const settings = { baseURL: `${server.url}/v1`, model: "gpt-5-mini" };
  expect(openAiCompatible(settings)).toMatchObject({ prices: undefined, contextWindow: undefined });
  expect(await costOfOneCall(openAiCompatible(settings))).toBeUndefined();
  const free = openAiCompatible({ ...settings, prices: { input: 0, output: 0 } });
  expect(await costOfOneCall(free)).toBe(0);
});

it.each([
  ["gpt-5", 1.25, 400_000],
  ["gpt-5-2025-08-07", 1.25, 400_000],
  ["gpt-5-mini", 0.25, 400_000],
  ["gpt-5.5-2026-04-23", 5, 1_050_000],
  ["gpt-6.2-sol", 2, 1_050_000],
  ["gpt-5.4-nano-2026-03-17", 0.2, undefined],
  ["gpt-6.2-astra", undefined, 1_050_000],
  ["gpt-5-chat-latest", undefined, undefined],
  ["gpt-5-pro", undefined, undefined],
  ["gpt-6.2-sol-mini", undefined, undefined],
  ["ft:gpt-5:me::1", undefined, undefined],
])("knows of %s the price %j and the window %j", (name, input, window) => {
  expect(knownFacts(name).prices?.input).toBe(input);
  expect(knownFacts(name).contextWindow).toBe(window);
});

it("says what it knows on the model", () => {
  for (const model of [openAiResponses({ model: "gpt-6-sol" }), openAiChat({ model: "gpt-6-sol" })]) {
    expect(model).toMatchObject({
      contextWindow: 1_050_000,
      maxOutputTokens: 128_000,
      prices: { cacheWrite: 2.5, longPrompt: { above: 272_000, input: 4, output: 15, cacheRead: 0.4 } },
    });
  }
  expect(openAiResponses({ model: "gpt-6-sol", maxOutputTokens: 9 }).maxOutputTokens).toBe(9);
});
