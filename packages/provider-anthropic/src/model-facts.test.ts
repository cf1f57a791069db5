import { eventsOf, fakeProvider, reply, runModel } from "@toycoder/testing";
import { expect, it } from "vitest";
import { anthropic } from "./model.ts";
import { knownFacts } from "./model-facts.ts";
import { MESSAGES } from "./test-support/messages-wire.ts";

const USAGE = {
  inputTokens: 16,
  cacheReadTokens: 4,
  cacheWriteTokens: 2,
  outputTokens: 3,
  reasoningTokens: 0,
};
const cost = (input: number, output: number, read: number, write: number): number =>
  (10 * input + 4 * read + 2 * write + 3 * output) / 1_000_000;

async function costOfOneCall(
  settings: Partial<Parameters<typeof anthropic>[0]>,
): Promise<number | undefined> {
  await using server = await fakeProvider(reply.events(MESSAGES.wire.events({ text: "hi", usage: USAGE })));
  const model = anthropic({ model: "m", baseURL: server.url, apiKey: "sk-ant-test", ...settings });
  const run = await runModel(model);
  expect(run.thrown).toBeUndefined();
  const [usage] = eventsOf(run, "usage");
  return usage?.costUsd;
}

it("prices a call of a known model, with its cache", async () => {
  expect(await costOfOneCall({ model: "claude-sonnet-4-5" })).toBeCloseTo(cost(3, 15, 0.3, 3.75), 12);
  expect(await costOfOneCall({ model: "claude-sonnet-4-5-20250929" })).toBeCloseTo(
    cost(3, 15, 0.3, 3.75),
    12,
  );
});

it("takes the prices of the settings before its own", async () => {
  const prices = { input: 100, output: 200 };
  expect(await costOfOneCall({ model: "claude-sonnet-4-5", prices })).toBeCloseTo(
    cost(100, 200, 100, 100),
    12,
  );
});

it("prices no call of an unknown model", async () => {
  expect(await costOfOneCall({ model: "claude-of-tomorrow" })).toBeUndefined();
});

it.each([
  ["claude-sonnet-4-5", 3, 200_000],
  ["claude-sonnet-4-5-20250929", 3, 200_000],
  ["claude-sonnet-4-5@20250929", 3, 200_000],
  ["claude-haiku-4-5-20251001", 1, 200_000],
  ["claude-haiku-5-5", 0.1, 1_000_000],
  ["claude-opus-5", 5, 1_000_000],
  ["claude-opus-5-5", 4, 1_000_000],
  ["claude-fable-5-2", undefined, 1_000_000],
  ["claude-opus-5-6", undefined, undefined],
  ["claude-sonnet-4", undefined, undefined],
  ["claude-sonnet-4-5-beta", undefined, undefined],
])("knows of %s the price %j and the window %j", (name, input, window) => {
  expect(knownFacts(name).prices?.input).toBe(input);
  expect(knownFacts(name).contextWindow).toBe(window);
});

it("says what it knows on the model, and what it asks for at most", () => {
  const model = anthropic({ model: "claude-sonnet-5-5" });
  expect(model).toMatchObject({ contextWindow: 1_000_000, maxOutputTokens: 32_000, prices: { input: 2 } });
  expect(anthropic({ model: "claude-sonnet-5-5", contextWindow: 5, maxOutputTokens: 6 })).toMatchObject({
    contextWindow: 5,
    maxOutputTokens: 6,
  });
});
