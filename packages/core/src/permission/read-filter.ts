import path from "node:path";
import { type FolderMatch, matchFolder, matchName, type PathPattern } from "./glob.ts";
import { concernsTool, type ToolFacts } from "./match.ts";
import type { Policy } from "./policy.ts";

/** Where a path is: as it was written, and with every symbolic link followed. Both absolute and normalised. */
export interface PathPair {
  absolute: string;
  real: string;
}

/** True unless a deny rule of the policy matches a read of the path by that tool. */
export type ReadFilter = (path: PathPair) => boolean;

/**
 * The policy's deny rules, compiled for many paths: folders are matched once. Bounds, protections and ask rules
 * are not looked at; `undefined` where no path can be hidden.
 */
export function readFilter(policy: Policy, tool: ToolFacts): ReadFilter | undefined {
  const patterns: PathPattern[] = [];
  for (const rule of policy.deny) {
    const reads = rule.kind === "call" || (rule.kind === "effect" && rule.effect === "read");
    if (!reads || !concernsTool(rule, tool)) continue;
    if (rule.pattern.path !== undefined) patterns.push(rule.pattern.path);
  }
  if (patterns.length === 0) return undefined;
  const denials = patterns.map((pattern) => new Denial(pattern));
  return ({ absolute, real }) =>
    !denials.some((one) => one.covers(absolute) || (real !== absolute && one.covers(real)));
}

/** One pattern, with what it makes of each folder that was asked about. */
class Denial {
  readonly #pattern: PathPattern;
  readonly #folders = new Map<string, FolderMatch>();

  constructor(pattern: PathPattern) {
    this.#pattern = pattern;
  }

  covers(absolute: string): boolean {
    const folder = path.dirname(absolute);
    if (folder === absolute) return matchFolder(this.#pattern, undefined, "").covered;
    return matchName(this.#pattern, this.#folder(folder), path.basename(absolute));
  }

  #folder(folder: string): FolderMatch {
    let match = this.#folders.get(folder);
    if (match === undefined) {
      const parent = path.dirname(folder);
      match =
        parent === folder
          ? matchFolder(this.#pattern, undefined, "")
          : matchFolder(this.#pattern, this.#folder(parent), path.basename(folder));
      this.#folders.set(folder, match);
    }
    return match;
  }
}
