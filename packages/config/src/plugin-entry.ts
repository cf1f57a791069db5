import { isPlugin, isPluginFactory, isTool, type Plugin, type PluginFactory } from "@toycoder/core";
import type { PluginEntry } from "./define-config.ts";
import { describeValue, isObject, placeOf, type Report } from "./shape.ts";

/** One plugin of the config, out of its nesting: what names or makes it, its options, and its place in the config. */
export interface PluginReference {
  plugin: string | Plugin | PluginFactory<never>;
  options?: Readonly<Record<string, unknown>>;
  /** For messages: `plugins[2]`. */
  place: string;
}

type Pair = readonly [
  plugin: string | Plugin | PluginFactory<never>,
  options: Readonly<Record<string, unknown>>,
];

/** A pair of a plugin and its options, as opposed to a list of two entries. */
const isPair = (entry: readonly unknown[]): entry is Pair =>
  entry.length === 2 &&
  !Array.isArray(entry[0]) &&
  Boolean(entry[0]) &&
  isObject(entry[1]) &&
  !isPlugin(entry[1]);

/** Flattens nested lists and skips falsy entries. */
export function flattenEntries(entries: readonly PluginEntry[], place = "plugins"): PluginReference[] {
  return entries.flatMap((entry, index): PluginReference[] => {
    const at = placeOf(place, index);
    if (!entry) return [];
    if (!isList(entry)) return [{ plugin: entry, place: at }];
    return isPair(entry) ? [{ plugin: entry[0], options: entry[1], place: at }] : flattenEntries(entry, at);
  });
}

const isList = (entry: PluginEntry): entry is Extract<PluginEntry, readonly unknown[]> =>
  Array.isArray(entry);

/** Reports what is no plugin entry. Whether a named plugin exists is found out when it is resolved. */
export function checkPluginEntry(entry: unknown, place: string, report: Report): void {
  if (Array.isArray(entry)) {
    if (isPair(entry)) return checkPluginEntry(entry[0], placeOf(place, 0), report);
    for (const [index, item] of entry.entries()) checkPluginEntry(item, placeOf(place, index), report);
    return;
  }
  if (!entry || typeof entry === "string" || isPlugin(entry) || isPluginFactory(entry)) return;
  const wrong = isTool(entry)
    ? `the tool ${entry.name} is no plugin; put it into one: definePlugin({ …, setup: () => ({ tools: [${entry.name}] }) })`
    : `expected a plugin: its name, its path, or what definePlugin gives; got ${describeValue(entry)}`;
  report(place, wrong);
}
