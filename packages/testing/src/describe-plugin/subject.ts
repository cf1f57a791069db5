import type { PluginFactory } from "@toycoder/core";

/** A plugin that is held to the contract. */
export interface PluginSubject {
  plugin: PluginFactory<never>;
  /** The package's package.json, read. Without it, nothing about the package is asked. */
  manifest?: Readonly<Record<string, unknown>>;
  /** The module that a user's config imports, by its `file:` URL: `import.meta.resolve("./index.ts")`. */
  entry?: string;
  /** Options that it takes. Default: none. */
  options?: Readonly<Record<string, unknown>>;
  /** Options that it refuses, and the path of the key that its message has to name: `server.port`. */
  wrongOptions?: readonly { options: Readonly<Record<string, unknown>>; path: string }[];
}
