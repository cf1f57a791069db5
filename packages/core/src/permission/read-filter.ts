import type { ToolFacts } from "./match.ts";
import type { PathBounds } from "./path-bounds.ts";
import type { Policy } from "./policy.ts";
import { readBounds, writeBounds } from "./policy-bounds.ts";

/** Where a path is: as it was written, and with every symbolic link followed. Both absolute and normalised. */
export interface PathPair {
  absolute: string;
  real: string;
}

/** True unless the policy refuses the path to that tool, by either of its names. */
export type PathFilter = (path: PathPair) => boolean;

/**
 * The policy's deny rules on reads, compiled for many paths: folders are matched once. Bounds, protections and ask
 * rules are not looked at; `undefined` where no path can be hidden.
 */
export const readFilter = (policy: Policy, tool: ToolFacts): PathFilter | undefined =>
  filterOf(readBounds(policy, tool));

/** The policy's deny rules on writes and its protections, in the same way. */
export const writeFilter = (policy: Policy, tool: ToolFacts): PathFilter | undefined =>
  filterOf(writeBounds(policy, tool));

function filterOf(bounds: PathBounds | undefined): PathFilter | undefined {
  if (bounds === undefined) return undefined;
  return ({ absolute, real }) => !bounds.covers(absolute) && (real === absolute || !bounds.covers(real));
}
