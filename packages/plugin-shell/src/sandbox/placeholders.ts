import { lstatSync, mkdirSync, rmdirSync, utimesSync } from "node:fs";
import path from "node:path";
import type { GuardedScope } from "./find-guarded.ts";

/** The time of change, in seconds, by which a placeholder is known: nobody else's empty folder is from 1970. */
const MARK = 1;

/**
 * The paths in the roots that rules on writes spell out, that don't exist, and that a command could make: the names
 * of any depth directly in a root, and places whose folder exists.
 */
export function absentPaths({ roots, writes }: GuardedScope): string[] {
  if (writes === undefined) return [];
  const named = roots.flatMap((root) => writes.names.map((name) => path.join(root, name)));
  const placed = writes.places.filter((place) => roots.some((root) => place.startsWith(`${root}/`)));
  return [...new Set([...named, ...placed])].filter((one) => {
    if (!writes.covers(one)) return false;
    const there = kindOf(one);
    return (there === undefined && kindOf(path.dirname(one)) === "folder") || there === "placeholder";
  });
}

/**
 * Makes an empty, marked folder at each path, so that nothing else can be made there. (A folder, since git and the
 * search for configs pass by one that is empty.) One that an earlier process has left is taken over. Gives those
 * that are there now.
 */
export function makePlaceholders(paths: readonly string[]): string[] {
  return paths.filter((one) => {
    try {
      mkdirSync(one, { mode: 0o555 });
      utimesSync(one, MARK, MARK);
      return true;
    } catch {
      return isPlaceholder(one);
    }
  });
}

/** Removes them, but for what is no longer an empty, marked folder. */
export function removePlaceholders(paths: readonly string[]): void {
  for (const one of paths) {
    try {
      if (isPlaceholder(one)) rmdirSync(one);
    } catch {
      // Another process has removed it.
    }
  }
}

export const isPlaceholder = (file: string): boolean => kindOf(file) === "placeholder";

function kindOf(file: string): "folder" | "placeholder" | "other" | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isDirectory()) return "other";
    return stats.mtimeMs === MARK * 1000 ? "placeholder" : "folder";
  } catch {
    return "other";
  }
}
