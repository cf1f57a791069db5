import { type LoadedConfig, placeOf, type Source } from "@toycoder/config";
import { createMask, type Mask } from "@toycoder/core";
import type { ParsedFlags } from "../flags.ts";

/** One value of the config in force, and where it comes from. */
export interface ConfigValue {
  key: string;
  value: unknown;
  source: Source | "default" | "flag";
}

/** The flags that go before a value of the config. */
const FLAGS: readonly (readonly [flag: string, key: string])[] = [
  ["allow", "permissions.allow"],
  ["deny", "permissions.deny"],
  ["enable", "tools.enable"],
];

/** Every value in force: lists entry by entry, in the order of the config's keys. No secret is among them. */
export function configValues(
  { config, sources, secretVariables }: LoadedConfig,
  flags: ParsedFlags,
  env: NodeJS.ProcessEnv,
): ConfigValue[] {
  const values: ConfigValue[] = [];
  const mask = createMask(Object.fromEntries(secretVariables.map((name) => [name, env[name] ?? ""])));
  const add = (key: string, value: unknown, source?: ConfigValue["source"]): void =>
    void values.push({ key, value: masked(value, mask), source: source ?? sources.get(key) ?? "default" });

  function walk(value: unknown, key: string): void {
    if (value === undefined) return;
    const added = FLAGS.filter(([, of]) => of === key).flatMap(([flag]) => flags.all(flag));
    if (Array.isArray(value)) {
      // A list as a whole is the default where none of its entries is said anywhere.
      for (const [index, item] of (value as unknown[]).entries()) add(placeOf(key, index), plain(item));
      for (const [index, item] of added.entries()) add(placeOf(key, value.length + index), item, "flag");
      if (value.length + added.length === 0) add(key, [], sources.get(key));
      return;
    }
    if (typeof value !== "object" || value === null || sources.has(key) || key === "outputSchema")
      return add(key, plain(value));
    const entries = Object.entries(value);
    if (entries.length === 0) return add(key, {});
    for (const [name, item] of entries) walk(item, placeOf(key, name));
  }

  const onAsk = flags.has("yes") ? { ...config.permissions, onAsk: undefined } : config.permissions;
  walk({ ...config, model: config.model ?? "auto", permissions: onAsk }, "");
  if (flags.has("yes")) add("permissions.onAsk", "allow", "flag");
  return values;
}

/** A value as JSON can hold it: code by its name, secrets not at all. */
function plain(value: unknown): unknown {
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (typeof Reflect.get(value, "setup") === "function") return Reflect.get(value, "name") as unknown;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      SECRET.has(key) ? hidden(item) : plain(item),
    ]),
  );
}

const SECRET: ReadonlySet<string> = new Set(["apiKey", "headers", "env", "bearerToken"]);

/** A value with the secrets taken out that got into its texts by `${VAR}`. */
const masked = (value: unknown, mask: Mask): unknown => JSON.parse(mask(JSON.stringify(value))) as unknown;

const hidden = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.keys(value).map((name) => [name, "…"]))
    : "…";
