import { describe, expect, it } from "vitest";
import { costOf } from "./model-prices.ts";
import { NO_USAGE } from "./usage.ts";

const M = 1_000_000;
const PRICES = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };

describe("costOf", () => {
  it.each([
    [{ inputTokens: M, outputTokens: M }, 12],
    // Cached parts are in the input, and counted once.
    [{ inputTokens: M, cacheReadTokens: 400_000, cacheWriteTokens: 100_000 }, 1 + 0.04 + 0.25],
    // Reasoning is in the output.
    [{ outputTokens: 1000, reasoningTokens: 900 }, 0.01],
    [{}, 0],
    // A server that counts cached parts beside the input: they cost, and nothing is taken off.
    [{ inputTokens: 10, cacheReadTokens: M }, 0.1],
  ])("prices %j", (usage, cost) => {
    expect(costOf({ ...NO_USAGE, ...usage }, PRICES)).toBeCloseTo(cost, 12);
  });

  it("is never zero for what is not free", () => {
    expect(costOf({ ...NO_USAGE, cacheReadTokens: 1, inputTokens: 1 }, PRICES)).toBeCloseTo(1e-7, 15);
  });

  it("takes the input's price for a cache without one", () => {
    const usage = { ...NO_USAGE, inputTokens: M, cacheReadTokens: M / 2, cacheWriteTokens: M / 2 };
    expect(costOf(usage, { input: 3, output: 0 })).toBeCloseTo(3, 12);
  });

  it("prices the whole of a call by its prompt's length", () => {
    const prices = { ...PRICES, longPrompt: { above: 1000, input: 4, output: 15 } };
    const usage = { ...NO_USAGE, inputTokens: 1000, outputTokens: 1000 };
    expect(costOf(usage, prices)).toBeCloseTo(0.012, 12);
    expect(costOf({ ...usage, inputTokens: 1001 }, prices)).toBeCloseTo(0.019004, 12);
    // The cached part belongs to the length, and costs what input costs where no other price is given.
    expect(costOf({ ...usage, inputTokens: 2000, cacheReadTokens: 1500 }, prices)).toBeCloseTo(0.023, 12);
  });
});
