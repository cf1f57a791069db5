import type { ModelPrices } from "../model-prices.ts";
import type { ModelSettings } from "./model-settings.ts";

/** What is known of a model beside its name. */
export interface ModelFacts {
  prices?: ModelPrices;
  contextWindow?: number;
  maxOutputTokens?: number;
}

/** Models' facts, by their names. */
export type FactTable = Readonly<Record<string, ModelFacts>>;

/**
 * The table's entry for a model's name, or for the name without the date of its snapshot. No other name is taken
 * for it: what begins alike may be a smaller model, or one that cost something else.
 */
export function findFacts(table: FactTable, model: string, snapshot: RegExp): ModelFacts {
  const name = [model, model.replace(snapshot, "")].find((one) => Object.hasOwn(table, one));
  return (name === undefined ? undefined : table[name]) ?? {};
}

/** The facts of a model as its settings say them, and what they leave open as it is known. */
export function modelFacts(settings: ModelSettings, known: ModelFacts = {}): ModelFacts {
  return {
    prices: settings.prices ?? known.prices,
    contextWindow: settings.contextWindow ?? known.contextWindow,
    maxOutputTokens: settings.maxOutputTokens ?? known.maxOutputTokens,
  };
}
