/** A semver range that a tool needs another tool in; `optional`: it may be absent, a wrong version still counts. */
export type Dependency = string | { range: string; optional?: boolean };

export const rangeOf = (dependency: Dependency): string =>
  typeof dependency === "string" ? dependency : dependency.range;
