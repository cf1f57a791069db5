import { type PermissionLevel, SetupError } from "@toycoder/core";
import { matchesGlob } from "@toycoder/core/wire";
import type { ForeignOptions } from "./foreign-options.ts";

/**
 * Gives each tool's level by its name. `asks`: the tool itself wants an approval; it is never `safe` then, only an
 * allow rule lifts that. Throws a SetupError `unknown_tool` for a glob that no name matches.
 */
export function levelsOf(
  names: readonly string[],
  { level = "sensitive", levels = {} }: ForeignOptions,
): (name: string, asks?: boolean) => PermissionLevel {
  const globs = Object.entries(levels);
  const unused = globs.find(([glob]) => !names.some((name) => matchesGlob(name, glob)));
  if (unused !== undefined) {
    throw new SetupError("unknown_tool", `levels: no tool matches ${JSON.stringify(unused[0])}`, {
      hint: `tools are ${names.join(", ")}`,
    });
  }
  return (name, asks = false) => {
    const [, found = level] = globs.findLast(([glob]) => matchesGlob(name, glob)) ?? [];
    return asks && found === "safe" ? "sensitive" : found;
  };
}
