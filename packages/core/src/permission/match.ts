import path from "node:path";
import type { ResolvedEffect } from "./effect.ts";
import { matchPath, type PathPattern } from "./glob.ts";
import type { PermissionLevel } from "./level.ts";
import type { EffectPattern, Rule, WordPattern } from "./rule.ts";

/** What rules may ask of a tool. `mcp` is `server/tool` for a tool of an MCP server. */
export interface ToolFacts {
  name: string;
  permission: PermissionLevel;
  category: string;
  plugin?: string;
  mcp?: string;
}

/**
 * How strictly a pattern is held against an effect. `grant` (allow rules): only what surely lies in the pattern.
 * `restrict` (ask and deny rules): also what may touch it: the name before links are followed, a file in a folder
 * that the pattern names, a folder that holds a match, a command named with its folder. `forbid` (deny rules): as
 * `restrict`, but a match beneath the folder of a filtered effect is hidden by the tool and doesn't count.
 */
export type Strictness = "grant" | "restrict" | "forbid";

/** Whether a rule speaks of this tool at all. Effect rules speak of every tool. */
export function concernsTool(rule: Rule, tool: ToolFacts): boolean {
  if (rule.kind === "effect" || rule.kind === "set") return true;
  if (rule.kind !== "group") return rule.name.test(tool.name);
  const value = { level: tool.permission, category: tool.category, plugin: tool.plugin, mcp: tool.mcp }[
    rule.group
  ];
  return value !== undefined && rule.value.test(value);
}

/** Whether a rule that concerns the tool matches this effect. Rules without a pattern match every effect. */
export function matchesEffect(rule: Rule, effect: ResolvedEffect, strictness: Strictness): boolean {
  if (rule.kind === "tool" || rule.kind === "group") return true;
  if (rule.kind === "set") return effect.kind === "exec" && !effect.opaque && effect.readOnly === true;
  if (rule.kind === "effect" && rule.effect !== effect.kind) return false;
  return matchesPattern(rule.pattern, effect, strictness);
}

function matchesPattern(pattern: EffectPattern, effect: ResolvedEffect, strictness: Strictness): boolean {
  const { path, words, host } = pattern;
  switch (effect.kind) {
    case "exec":
      if (effect.opaque || words === undefined) return false;
      return spellings(effect, strictness).some((argv) => matchesWords(words, argv));
    case "net":
      return host?.test(effect.host) === true;
    default:
      return path !== undefined && matchesPathEffect(path, effect, strictness);
  }
}

/** Whether a path pattern meets a read or write effect. */
export function matchesPathEffect(
  pattern: PathPattern,
  effect: Extract<ResolvedEffect, { kind: "read" | "write" }>,
  strictness: Strictness,
): boolean {
  if (strictness === "grant") {
    const exact = matchPath(pattern, segmentsOf(effect.path.real)) === "exact";
    return exact && (!effect.recursive || pattern.segments.at(-1) === "**");
  }
  const reachesBeneath = effect.recursive && !(strictness === "forbid" && effect.filtered === true);
  return [effect.path.real, effect.path.absolute].some((one) => {
    const match = matchPath(pattern, segmentsOf(one));
    return match === "exact" || match === "ancestor" || (match === "beneath" && reachesBeneath);
  });
}

export const segmentsOf = (absolute: string): string[] =>
  absolute.split(path.sep).filter((part) => part !== "");

/** The ways to write a command that a pattern is held against: an allow rule takes the words as they are. */
function spellings(
  { argv, variants = [] }: Extract<ResolvedEffect, { kind: "exec" }>,
  strictness: Strictness,
): (readonly string[])[] {
  if (strictness === "grant") return [argv];
  return [argv, ...variants].flatMap((words) => {
    const [command = "", ...rest] = words;
    return command.includes("/") ? [words, [path.basename(command), ...rest]] : [words];
  });
}

/** Whole words: a lone `*` stands for one word or more, at the end also for none. */
function matchesWords(pattern: readonly WordPattern[], argv: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return argv.length === 0;
  if (first !== "*") return argv[0] !== undefined && first.test(argv[0]) && matchesWords(rest, argv.slice(1));
  if (rest.length === 0) return true;
  for (let taken = 1; taken < argv.length; taken++) if (matchesWords(rest, argv.slice(taken))) return true;
  return false;
}
