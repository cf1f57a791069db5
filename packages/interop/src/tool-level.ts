import { type PermissionLevel, SetupError } from "@toycoder/core";
import type { ForeignOptions } from "./foreign-options.ts";

/**
 * Gives each tool's level by its name. `asks`: the tool itself wants an approval; it is never `safe` then, only an
 * allow rule lifts that. Throws a SetupError `unknown_tool` for a glob that no name matches.
 */
export function levelsOf(
  names: readonly string[],
  { level = "sensitive", levels = {} }: ForeignOptions,
): (name: string, asks?: boolean) => PermissionLevel {
  const globs = Object.entries(levels).map(([glob, named]) => ({ glob, matches: compile(glob), named }));
  const unused = globs.find(({ matches }) => !names.some((name) => matches.test(name)));
  if (unused !== undefined) {
    throw new SetupError("unknown_tool", `levels: no tool matches ${JSON.stringify(unused.glob)}`, {
      hint: `tools are ${names.join(", ")}`,
    });
  }
  return (name, asks = false) => {
    const found = globs.findLast(({ matches }) => matches.test(name))?.named ?? level;
    return asks && found === "safe" ? "sensitive" : found;
  };
}

function compile(glob: string): RegExp {
  const source = glob
    .replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, "su");
}
