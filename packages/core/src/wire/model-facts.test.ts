import { describe, expect, it } from "vitest";
import { findFacts, modelFacts } from "./model-facts.ts";

const TABLE = { "gpt-5": { contextWindow: 1 }, "gpt-5-mini": { contextWindow: 2 } };
const DATE = /-\d{4}-\d{2}-\d{2}$/;

describe("findFacts", () => {
  it.each([
    ["gpt-5", 1],
    ["gpt-5-2025-08-07", 1],
    ["gpt-5-mini", 2],
    ["gpt-5-mini-2025-08-07", 2],
    ["gpt-5-nano", undefined],
    ["gpt-5.5", undefined],
    ["gpt-5-2025-08", undefined],
    ["gpt-5-2025-08-07-x", undefined],
    ["openai/gpt-5", undefined],
    ["GPT-5", undefined],
    ["", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
    ["toString-2025-08-07", undefined],
  ])("takes %j for %j", (model, window) => {
    expect(findFacts(TABLE, model, DATE).contextWindow).toBe(window);
  });
});

describe("modelFacts", () => {
  const known = { contextWindow: 10, maxOutputTokens: 5, prices: { input: 1, output: 2 } };

  it("fills in what the settings leave open", () => {
    expect(modelFacts({ model: "m" }, known)).toEqual(known);
    expect(modelFacts({ model: "m", contextWindow: 7 }, known)).toEqual({ ...known, contextWindow: 7 });
  });

  it("takes prices as a whole from the settings", () => {
    const prices = { input: 0, output: 0 };
    expect(modelFacts({ model: "m", prices }, known).prices).toEqual(prices);
    expect(modelFacts({ model: "m" }).prices).toBeUndefined();
  });
});
