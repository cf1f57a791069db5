import type { TokenPrices } from "@toycoder/core";
import { type FactTable, findFacts, type ModelFacts } from "@toycoder/core/wire";

/** Writing to the cache for five minutes, which is what our marks ask for, costs 1.25 times the input. */
const usd = (input: number, output: number, cacheRead: number): TokenPrices => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
});

const SMALL = 200_000;
const LARGE = 1_000_000;

/**
 * List prices of the Claude API and context windows, as known on 2026-11-30. Anthropic's documentation
 * (platform.claude.com), "Pricing" and the overview of each model; for Opus 5.5, and for the cache reads of
 * Sonnet 5.5, whose price fell on 2026-10-07, the data of models.dev (2026-10), which names those pages; for the
 * windows of the models up to 4.8, its data of 2026-03 to 2026-07.
 */
const FACTS: FactTable = {
  // What its cache costs is not known to us.
  "claude-fable-5-2": { contextWindow: LARGE },
  "claude-fable-5-1": { contextWindow: LARGE, prices: usd(10, 50, 0.25) },
  "claude-fable-5": { contextWindow: LARGE, prices: usd(10, 50, 1) },
  "claude-opus-5-5": { contextWindow: LARGE, prices: usd(4, 20, 0.2) },
  "claude-opus-5": { contextWindow: LARGE, prices: usd(5, 25, 0.5) },
  "claude-opus-4-8": { contextWindow: LARGE, prices: usd(5, 25, 0.5) },
  "claude-opus-4-7": { contextWindow: LARGE, prices: usd(5, 25, 0.5) },
  "claude-opus-4-6": { contextWindow: LARGE, prices: usd(5, 25, 0.5) },
  "claude-opus-4-5": { contextWindow: SMALL, prices: usd(5, 25, 0.5) },
  "claude-sonnet-5-5": { contextWindow: LARGE, prices: usd(2, 10, 0.1) },
  "claude-sonnet-5": { contextWindow: LARGE, prices: usd(2, 10, 0.2) },
  "claude-sonnet-4-6": { contextWindow: LARGE, prices: usd(3, 15, 0.3) },
  "claude-sonnet-4-5": { contextWindow: SMALL, prices: usd(3, 15, 0.3) },
  "claude-haiku-5-5": {
    contextWindow: LARGE,
    prices: { ...usd(0.1, 0.5, 0.01), longPrompt: { above: 100_000, ...usd(0.5, 2.5, 0.05) } },
  },
  "claude-haiku-4-5": { contextWindow: SMALL, prices: usd(1, 5, 0.1) },
};

/** What is known of a model by its name, or by the name of which it is a snapshot (`-20250929`, `@20250929`). */
export const knownFacts = (model: string): ModelFacts => findFacts(FACTS, model, /[-@]\d{8}$/);
