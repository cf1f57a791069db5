import { isDeepStrictEqual } from "node:util";
import type { ToycoderConfig } from "./define-config.ts";
import { isObject, pathOf, placeOf } from "./shape.ts";

/** Where a value of the config in force comes from. What is in none of them is the default. */
export type Source = "person" | "config" | "profile";

/** One config of those that are put over each other. */
export interface Layer {
  source: Source;
  value: ToycoderConfig;
}

export interface Merged {
  value: ToycoderConfig;
  /** Place (`limits.turns`, `permissions.deny[2]`) → where its value comes from. */
  sources: ReadonlyMap<string, Source>;
}

/** Values that are never taken apart: half of one model (or MCP server) and half of another is neither. */
const isWhole = (place: string): boolean =>
  place === "model" ||
  place === "outputSchema" ||
  (/^(?:mcpServers|credentials)\b/.test(place) && pathOf(place).length === 2);

/**
 * Puts each layer over the ones before it. Objects are merged by key. Lists are added to, so that no rule of an
 * earlier layer gets lost; an entry that speaks of the same thing as an earlier one (the same text, a plugin of the
 * same name, a policy test of the same call) takes its place. Everything else is replaced.
 */
export function mergeLayers(layers: readonly Layer[]): Merged {
  const sources = new Map<string, Source>();
  let value: unknown = {};
  for (const layer of layers) value = merge(value, layer.value, "", layer.source, sources);
  return { value: value as ToycoderConfig, sources };
}

function merge(
  below: unknown,
  above: unknown,
  place: string,
  source: Source,
  sources: Map<string, Source>,
): unknown {
  if (above === undefined) return below;
  if (isWhole(place) || !(isObject(above) || Array.isArray(above))) {
    sources.set(place, source);
    return above;
  }
  if (Array.isArray(above)) {
    return mergeLists(Array.isArray(below) ? below : [], above, place, source, sources);
  }
  const merged = new Map<string, unknown>(isObject(below) ? Object.entries(below) : []);
  for (const [key, item] of Object.entries(above)) {
    merged.set(key, merge(merged.get(key), item, placeOf(place, key), source, sources));
  }
  return Object.fromEntries(merged);
}

function mergeLists(
  below: readonly unknown[],
  above: readonly unknown[],
  place: string,
  source: Source,
  sources: Map<string, Source>,
): unknown[] {
  const merged = [...below];
  for (const item of above) {
    const subject = subjectOf(item, place);
    const same = below.findIndex((one) => isDeepStrictEqual(subjectOf(one, place), subject));
    const index = same === -1 ? merged.length : same;
    // The same rule once more is still the rule of where it stood first.
    if (same === -1 || !isDeepStrictEqual(merged[index], item)) sources.set(placeOf(place, index), source);
    merged[index] = item;
  }
  return merged;
}

/** What an entry of a list speaks of: a policy test of its call, a plugin with options of the plugin. */
function subjectOf(item: unknown, place: string): unknown {
  if (!Array.isArray(item)) return item;
  if (place === "permissions.tests") return item.slice(0, 2);
  return place === "plugins" && item.length === 2 && isObject(item[1]) ? (item[0] as unknown) : item;
}
