import path from "node:path";
import { type FolderMatch, matchFolder, matchName, matchPath, type PathPattern } from "./glob.ts";
import { concernsTool, segmentsOf, type ToolFacts } from "./match.ts";
import type { PathBounds } from "./path-bounds.ts";
import type { Policy, Protection } from "./policy.ts";
import type { Rule } from "./rule.ts";

/** What deny rules say of reads; undefined where they say nothing. */
export function readBounds(policy: Policy, tool: ToolFacts): PathBounds | undefined {
  return boundsOf(deniedPatterns(policy, tool, "read").map((pattern) => new Denial(pattern)));
}

/** What deny rules and protections say of writes, but where an allow rule lifts a protection. */
export function writeBounds(policy: Policy, tool: ToolFacts): PathBounds | undefined {
  const lifts = policy.allow.flatMap((rule) => pathPatternOf(rule, tool, "write"));
  const denied = deniedPatterns(policy, tool, "write").map((pattern) => new Denial(pattern));
  const protections = policy.protect.map((one) => {
    const lifting = lifts.filter((pattern) => namesPlace(pattern, one)).map((pattern) => new Denial(pattern));
    return new Denial(one.pattern, lifting);
  });
  return boundsOf([...denied, ...protections]);
}

/** Only a pattern that spells the protected place out lifts its protection. */
export function namesPlace(pattern: PathPattern, protection: Protection): boolean {
  if (pattern.segments[0] === "**") return false;
  const match = matchPath(protection.pattern, segmentsOf(pattern.place));
  return match === "exact" || match === "ancestor";
}

const deniedPatterns = (policy: Policy, tool: ToolFacts, effect: "read" | "write"): PathPattern[] =>
  policy.deny.flatMap((rule) => pathPatternOf(rule, tool, effect));

function pathPatternOf(rule: Rule, tool: ToolFacts, effect: "read" | "write"): PathPattern[] {
  const speaks = rule.kind === "call" || (rule.kind === "effect" && rule.effect === effect);
  if (!speaks || !concernsTool(rule, tool) || rule.pattern.path === undefined) return [];
  return [rule.pattern.path];
}

function boundsOf(denials: readonly Denial[]): PathBounds | undefined {
  if (denials.length === 0) return undefined;
  return {
    covers(absolute) {
      const folder = path.dirname(absolute);
      const name = path.basename(absolute);
      return denials.some((one) => one.covers(folder, name));
    },
    reaches: (folder) => denials.some((one) => one.reaches(folder)),
    places: [...new Set(denials.map((one) => one.pattern.place))],
    names: [...new Set(denials.flatMap((one) => one.name ?? []))],
  };
}

/** One pattern, with what it makes of each folder that was asked about. */
class Denial {
  readonly pattern: PathPattern;
  readonly #lifting: readonly Denial[];
  readonly #folders = new Map<string, FolderMatch>();

  constructor(pattern: PathPattern, lifting: readonly Denial[] = []) {
    this.pattern = pattern;
    this.#lifting = lifting;
  }

  /** The name that it refuses at any depth, where it is of that form. */
  get name(): string | undefined {
    const { segments } = this.pattern;
    const end = segments.at(-1) === "**" ? segments.length - 1 : segments.length;
    const last = segments[end - 1];
    return segments[end - 2] === "**" && last !== undefined && last !== "**" ? last.literal : undefined;
  }

  /** `name` is empty for the file system's top. */
  covers(folder: string, name: string): boolean {
    const match = this.#folder(folder);
    const covered = name === "" ? match.covered : matchName(this.pattern, match, name);
    return covered && !this.#lifting.some((one) => one.covers(folder, name));
  }

  reaches(folder: string): boolean {
    const { covered, states } = this.#folder(folder);
    return covered || states.size > 0;
  }

  #folder(folder: string): FolderMatch {
    let match = this.#folders.get(folder);
    if (match === undefined) {
      const parent = path.dirname(folder);
      match =
        parent === folder
          ? matchFolder(this.pattern, undefined, "")
          : matchFolder(this.pattern, this.#folder(parent), path.basename(folder));
      this.#folders.set(folder, match);
    }
    return match;
  }
}
