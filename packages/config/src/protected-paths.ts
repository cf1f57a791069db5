import { realpathSync } from "node:fs";
import path from "node:path";
import type { PluginEntry } from "./define-config.ts";
import { flattenEntries } from "./plugin-entry.ts";
import { isPath } from "./plugin-source.ts";
import { SEARCH_PLACES } from "./search-places.ts";

/**
 * The paths that no call may write, in the language of path rules: git's folder, every config file name that is
 * searched, the config file itself, a person's defaults, and the local plugins it names (a glob protects what it may come to match).
 */
export function protectedPaths(from: {
  file?: string | undefined;
  person?: string | undefined;
  folder: string;
  plugins?: readonly PluginEntry[];
}): string[] {
  const { folder, plugins = [] } = from;
  const own = [from.file, from.person].flatMap((file) =>
    file === undefined ? [] : [...new Set([path.resolve(file), real(file)])].map(escape),
  );
  const local = flattenEntries(plugins).flatMap(({ plugin }) =>
    typeof plugin === "string" && isPath(plugin) ? localPatterns(plugin, folder) : [],
  );
  return [...new Set([".git/", ...SEARCH_PLACES, ...own, ...local])];
}

function localPatterns(specifier: string, folder: string): string[] {
  const pattern = path.posix.join(escape(path.resolve(folder)), specifier);
  // A plugin that is reached through a link is protected where it really is, too.
  const target = real(path.resolve(folder, specifier));
  return target === path.resolve(folder, specifier) ? [pattern] : [pattern, escape(target)];
}

function real(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}

/** The pattern that matches a path alone. */
const escape = (file: string): string => file.replaceAll(/[\\*?[\]{},]/g, String.raw`\$&`);
