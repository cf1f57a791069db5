import type { ModelPrices } from "@toycoder/core";
import { type FactTable, findFacts, type ModelFacts } from "@toycoder/core/wire";

/** A call with more than 272,000 tokens of input costs twice as much for input and cache, 1.5 times for output. */
const tiered = (input: number, output: number, cacheRead: number, cacheWrite = input): ModelPrices => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  longPrompt: {
    above: 272_000,
    input: input * 2,
    output: output * 1.5,
    cacheRead: cacheRead * 2,
    cacheWrite: cacheWrite * 2,
  },
});

const LARGE = { contextWindow: 1_050_000, maxOutputTokens: 128_000 };
const MEDIUM = { contextWindow: 400_000, maxOutputTokens: 128_000 };

/**
 * List prices of the OpenAI API (standard processing, cache writes for 30 minutes), context windows and longest
 * answers, as known on 2026-11-30. For gpt-6.2-sol, gpt-6-sol, gpt-5.6-sol and gpt-5-nano OpenAI's own model pages
 * (developers.openai.com/api/docs/models); for the other gpt-6 models what LiteLLM, codexometer and apidog quote
 * of those pages (2026-09 to 2026-11); for older ones the data of models.dev (2026-01 to 2026-04), wavespeed.ai
 * and morphllm.com (2026-06). Models whose prices we have found no clear word for have none here.
 */
const FACTS: FactTable = {
  "gpt-6.2-astra": LARGE,
  "gpt-6.2-sol": { ...LARGE, prices: tiered(2, 10, 0.1, 2.5) },
  "gpt-6.1-sol": { ...LARGE, prices: tiered(2, 10, 0.1, 2.5) },
  "gpt-6.1-terra": { ...LARGE, prices: tiered(1, 5, 0.05, 1.25) },
  "gpt-6-astra": { ...LARGE, prices: tiered(10, 50, 1, 12.5) },
  "gpt-6-sol": { ...LARGE, prices: tiered(2, 10, 0.2, 2.5) },
  "gpt-6-luna": { ...LARGE, prices: tiered(0.1, 0.5, 0.01, 0.125) },
  "gpt-5.6-sol": LARGE,
  "gpt-5.5": { ...LARGE, prices: tiered(5, 30, 0.5) },
  "gpt-5.4": { ...LARGE, prices: tiered(2.5, 15, 0.25) },
  "gpt-5.4-mini": { prices: { input: 0.75, output: 4.5, cacheRead: 0.075 } },
  "gpt-5.4-nano": { prices: { input: 0.2, output: 1.25, cacheRead: 0.02 } },
  "gpt-5.2": { ...MEDIUM, prices: { input: 1.75, output: 14, cacheRead: 0.175 } },
  "gpt-5.1": { ...MEDIUM, prices: { input: 1.25, output: 10, cacheRead: 0.125 } },
  "gpt-5": { ...MEDIUM, prices: { input: 1.25, output: 10, cacheRead: 0.125 } },
  "gpt-5-mini": { ...MEDIUM, prices: { input: 0.25, output: 2, cacheRead: 0.025 } },
  "gpt-5-nano": { ...MEDIUM, prices: { input: 0.05, output: 0.4, cacheRead: 0.005 } },
};

/** What is known of OpenAI's model by its name, or by the name of which it is a snapshot (`-2026-04-23`). */
export const knownFacts = (model: string): ModelFacts => findFacts(FACTS, model, /-\d{4}-\d{2}-\d{2}$/);
