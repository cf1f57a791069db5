import { isPlugin, isPluginFactory, isTool, type Plugin, type PluginFactory } from "@toycoder/core";
import type { PluginEntry } from "./define-config.ts";
import { describeValue, isObject, placeOf, type Report } from "./shape.ts";

/** One plugin of the config, out of its nesting: what names or makes it, its options, and its place in the config. */
export interface PluginReference {
  plugin: string | Plugin | PluginFactory<never>;
  options?: Readonly<Record<string, unknown>>;
  /** For messages: `plugins[2]`. */
  place: string;
  /** Whether the run goes on without it where it can't be loaded or set up. */
  optional?: boolean;
  /** Whether the text is the full name of a package. */
  exact?: boolean;
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

const MOST_NESTED = 20;

/** Flattens nested lists and skips falsy entries. */
export function flattenEntries(entries: readonly PluginEntry[], place = "plugins"): PluginReference[] {
  return entries.flatMap((entry, index): PluginReference[] => {
    const at = placeOf(place, index);
    if (!entry) return [];
    if (!isList(entry)) return [{ plugin: entry, place: at }];
    return isPair(entry) ? [pairReference(entry, at)] : flattenEntries(entry, at);
  });
}

/** `optional: true` among the options is for whoever loads the plugin, not for the plugin. */
function pairReference([plugin, { optional, ...options }]: Pair, place: string): PluginReference {
  if (typeof optional !== "boolean")
    return { plugin, options: optional === undefined ? options : { optional, ...options }, place };
  // A plugin that was called already takes no further options, not even none.
  return { plugin, ...(Object.keys(options).length > 0 && { options }), place, optional };
}

const isList = (entry: PluginEntry): entry is Extract<PluginEntry, readonly unknown[]> =>
  Array.isArray(entry);

/** Reports what is no plugin entry. Whether a named plugin exists is found out when it is resolved. */
export function checkPluginEntry(
  entry: unknown,
  place: string,
  report: Report,
  holders: readonly unknown[] = [],
): void {
  if (Array.isArray(entry)) {
    if (holders.includes(entry)) return report(place, "contains itself; write its parts out");
    if (holders.length > MOST_NESTED) return report(place, "lists are nested too deep; write one flat list");
    const inner = [...holders, entry];
    if (isPair(entry)) return checkPluginEntry(entry[0], placeOf(place, 0), report, inner);
    for (const [index, item] of entry.entries()) checkPluginEntry(item, placeOf(place, index), report, inner);
    return;
  }
  if (!entry || typeof entry === "string" || isPlugin(entry) || isPluginFactory(entry)) return;
  const wrong = isTool(entry)
    ? `the tool ${entry.name} is no plugin; put it into one: definePlugin({ …, setup: () => ({ tools: [${entry.name}] }) })`
    : `expected a plugin: its name, its path, or what definePlugin gives; got ${describeValue(entry)}`;
  report(place, wrong);
}

/** What {@link checkPluginEntry} takes of JSON; the definition `plugin` of the config's schema. */
export const PLUGIN_ENTRY_SCHEMA: Readonly<Record<string, unknown>> = {
  description:
    "The name of a built-in plugin or package, a path or glob that starts with ./, or a pair of one and its options.",
  anyOf: [
    { type: "string" },
    { enum: [false, null, 0] },
    {
      type: "array",
      items: [{ type: "string", minLength: 1 }, { type: "object" }],
      minItems: 2,
      maxItems: 2,
    },
    { type: "array", items: { $ref: "#/definitions/plugin" } },
  ],
};
