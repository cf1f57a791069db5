import type { Usage } from "./usage.ts";

/** USD per million tokens. For a cached part of the prompt without a price of its own, `input` holds. */
export interface TokenPrices {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** A model's prices, where prompts above some length may cost more. */
export interface ModelPrices extends TokenPrices {
  /** What a whole call costs whose prompt, cached parts included, is longer than `above` tokens. */
  longPrompt?: TokenPrices & { above: number };
}

/** The cost of one call in USD, not rounded. */
export function costOf(usage: Usage, prices: ModelPrices): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const { longPrompt } = prices;
  const { input, output, cacheRead, cacheWrite } =
    longPrompt !== undefined && inputTokens > longPrompt.above ? longPrompt : prices;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const sum =
    fresh * input +
    cacheReadTokens * (cacheRead ?? input) +
    cacheWriteTokens * (cacheWrite ?? input) +
    outputTokens * output;
  return sum / 1_000_000;
}
