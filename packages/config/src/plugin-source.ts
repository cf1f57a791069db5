import { nearest } from "@toycoder/core";

/** Where a plugin named by a text is to be found. */
export type PluginSource =
  | { kind: "builtin"; name: string }
  | { kind: "path"; path: string }
  | { kind: "glob"; pattern: string }
  /** The first of these packages that is installed. */
  | { kind: "package"; candidates: readonly string[]; short: boolean };

/** Whether the text is a path or a glob of paths: it starts with `./`, `../`, `/` or a drive. */
export const isPath = (name: string): boolean => /^(?:\.{1,2}[\\/]|[\\/]|[A-Za-z]:[\\/])/.test(name);

/** `names` are the built-in plugins' names: they come first. */
export function pluginSource(name: string, names: Iterable<string>): PluginSource {
  if (isPath(name))
    return /[*?[\]{}]/.test(name) ? { kind: "glob", pattern: name } : { kind: "path", path: name };
  for (const builtin of names) if (builtin === name) return { kind: "builtin", name };
  if (name.startsWith("@") || name.startsWith("toycoder-plugin-")) {
    return { kind: "package", candidates: [name], short: false };
  }
  return {
    kind: "package",
    candidates: [`@toycoder/plugin-${name}`, `toycoder-plugin-${name}`],
    short: true,
  };
}

/** What to do about a plugin that is not to be found. */
export function notFoundHint(name: string, source: PluginSource, names: readonly string[]): string {
  if (source.kind !== "package" || !source.short) return `install it: npm install -D ${name}`;
  const [near] = nearest(name, names, 1);
  if (near !== undefined) return `did you mean ${near}?`;
  return `built in are ${names.join(", ")}; a local file starts with ./, a package is called toycoder-plugin-NAME`;
}
