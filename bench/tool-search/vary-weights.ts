import type { SearchWeights } from "@toycoder/core";

/** The numbers of a ranking, each times something between a half and two; shares (dilution) stay below one. */
export function varyWeights(weights: SearchWeights, random: () => number): SearchWeights {
  const vary = (value: number): number => value * 2 ** (random() * 2 - 1);
  const varyAll = <T extends object>(values: T, most: number): T =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        typeof value === "number" ? Math.min(most, vary(value)) : value,
      ]),
    ) as T;
  return {
    ...varyAll(weights, Infinity),
    field: varyAll(weights.field, Infinity),
    dilution: varyAll(weights.dilution, 0.95),
  };
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
