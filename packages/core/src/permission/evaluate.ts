import { type EffectReport, reportEffect, type ResolvedEffect } from "./effect.ts";
import type { PathPattern } from "./glob.ts";
import { concernsTool, matchesEffect, matchesPathEffect, type ToolFacts } from "./match.ts";
import { namesPlace } from "./policy-bounds.ts";
import { contains } from "./workspace.ts";
import type { Policy, Protection } from "./policy.ts";
import type { Rule } from "./rule.ts";
import { suggestRule } from "./suggest.ts";

/** A call as permissions see it. */
export interface PermissionRequest {
  tool: ToolFacts;
  enabled: boolean;
  effects: readonly ResolvedEffect[];
  /** Rules that the person approved in this session. */
  approvals?: readonly Rule[];
}

/** What was decided, by which rule (its text; null where none), and why, in words. */
export interface Decision {
  decision: "allow" | "ask" | "deny" | "disabled";
  rule: string | null;
  reason: string;
  /** The smallest rule that would allow the call; null where no single rule can. */
  suggestion: string | null;
  /** The rules that together would allow it: more than one where a call has several effects. */
  suggestions: readonly string[];
  effects: readonly EffectReport[];
  /** Of a denial: whether a rule or protection forbids it, or the workspace's bounds. */
  code?: "permission_denied" | "outside_workspace";
}

type PathEffect = Extract<ResolvedEffect, { kind: "read" | "write" }>;
type Verdict = Omit<Decision, "effects" | "suggestion" | "suggestions"> & { suggestions?: readonly string[] };

/**
 * Decides a call. Pure: nothing is read but the arguments. The order: disabled, deny rules, protections and the
 * workspace's bounds, ask rules, allow rules, the level's default. The first that speaks decides; approvals of
 * the session answer what would be asked.
 */
export function evaluate(policy: Policy, request: PermissionRequest): Decision {
  const verdict =
    disabled(policy, request) ??
    denied(policy, request) ??
    bounded(policy, request) ??
    approvedOr(policy, request);
  const suggestions = verdict.suggestions ?? [];
  return {
    ...verdict,
    suggestion: suggestions.length === 1 ? (suggestions[0] ?? null) : null,
    suggestions,
    effects: request.effects.map(reportEffect),
  };
}

function disabled(policy: Policy, request: PermissionRequest): Verdict | undefined {
  const { tool, enabled } = request;
  if (enabled) return undefined;
  const reason = `${tool.name} is ${tool.permission} and not enabled`;
  return { decision: "disabled", rule: null, reason, suggestions: missingRules(policy, request) };
}

function denied(policy: Policy, request: PermissionRequest): Verdict | undefined {
  const rule = firstRestricting(policy.deny, request, "forbid");
  if (rule === undefined) return undefined;
  return {
    decision: "deny",
    code: "permission_denied",
    rule: rule.source,
    reason: `denied by the rule ${rule.source}`,
  };
}

/** The first rule that matches any effect, or the call as a whole where the rule has no pattern. */
function firstRestricting(
  rules: readonly Rule[],
  { tool, effects }: PermissionRequest,
  strictness: "restrict" | "forbid",
): Rule | undefined {
  return rules.find((rule) => {
    if (!concernsTool(rule, tool)) return false;
    if (rule.kind === "tool" || rule.kind === "group") return true;
    return effects.some((effect) => matchesEffect(rule, effect, strictness));
  });
}

function bounded(policy: Policy, { tool, effects }: PermissionRequest): Verdict | undefined {
  for (const effect of effects) {
    if (effect.kind !== "read" && effect.kind !== "write") continue;
    const allowed = policy.allow.filter(
      (rule) => concernsTool(rule, tool) && matchesEffect(rule, effect, "grant"),
    );
    const lifts = allowed.flatMap((rule) => pathPatternOf(rule) ?? []);
    const protection = policy.protect.find(
      (one) => protects(one, effect) && !lifts.some((pattern) => namesPlace(pattern, one)),
    );
    if (protection !== undefined) {
      const reason = `${effect.path.display} is protected from writes (${protection.source})`;
      return { decision: "deny", code: "permission_denied", rule: `protect:${protection.source}`, reason };
    }
    if (
      !effect.path.inside &&
      !effect.implied &&
      !lifts.some((pattern) => namesOutside(pattern, policy.root))
    ) {
      const reason = `${effect.path.display} is outside the workspace ${policy.root}`;
      return { decision: "deny", code: "outside_workspace", rule: null, reason };
    }
  }
  return undefined;
}

const protects = ({ pattern }: Protection, effect: PathEffect): boolean =>
  effect.kind === "write" && matchesPathEffect(pattern, effect, "restrict");

const pathPatternOf = (rule: Rule): PathPattern | undefined =>
  rule.kind === "effect" || rule.kind === "call" ? rule.pattern.path : undefined;

/** Only a pattern that starts outside the workspace lifts its bounds. */
const namesOutside = ({ segments, place }: PathPattern, root: string): boolean =>
  segments[0] !== "**" && !contains(root, place);

function approvedOr(policy: Policy, request: PermissionRequest): Verdict {
  const verdict = asked(policy, request) ?? allowed(policy, request) ?? byLevel(policy, request);
  if (verdict.decision !== "ask") return verdict;
  const approvals = request.approvals ?? [];
  const rule = covering(approvals, request, false);
  return rule === undefined
    ? verdict
    : { decision: "allow", rule: rule.source, reason: `approved in this session: ${rule.source}` };
}

function asked(policy: Policy, request: PermissionRequest): Verdict | undefined {
  const rule = firstRestricting(policy.ask, request, "restrict");
  if (rule !== undefined)
    return { decision: "ask", rule: rule.source, reason: `the rule ${rule.source} asks` };
  for (const effect of request.effects) {
    if (effect.kind === "exec") {
      if (!effect.opaque || !deniesEffects(policy)) continue;
      const why = effect.reason ?? "the command cannot be taken apart";
      return { decision: "ask", rule: null, reason: `${why}, and there are deny rules that it might break` };
    }
    if (effect.kind !== "net" && effect.implied && !effect.path.inside) {
      const reason = `${effect.path.display} is outside the workspace`;
      return { decision: "ask", rule: null, reason };
    }
  }
  return undefined;
}

const deniesEffects = (policy: Policy): boolean =>
  policy.deny.some((rule) => rule.kind === "effect" || rule.kind === "call");

function allowed(policy: Policy, request: PermissionRequest): Verdict | undefined {
  const rule = covering(policy.allow, request, true);
  return rule && { decision: "allow", rule: rule.source, reason: `allowed by the rule ${rule.source}` };
}

/**
 * The rule that covers the call where every non-implied effect is covered by some rule; with several, the first
 * one used. Reads inside the workspace need none when `freeReads`.
 */
function covering(rules: readonly Rule[], request: PermissionRequest, freeReads: boolean): Rule | undefined {
  const concerned = rules.filter((rule) => concernsTool(rule, request.tool));
  const whole = concerned.find((rule) => rule.kind === "tool" || rule.kind === "group");
  if (whole !== undefined) return whole;
  let used: Rule | undefined;
  for (const effect of request.effects) {
    if (effect.implied || (freeReads && isFreeRead(effect))) continue;
    const rule = concerned.find((one) => matchesEffect(one, effect, "grant"));
    if (rule === undefined) return undefined;
    used ??= rule;
  }
  return used;
}

const isFreeRead = (effect: ResolvedEffect): boolean => effect.kind === "read" && effect.path.inside;

function byLevel(policy: Policy, request: PermissionRequest): Verdict {
  const { permission } = request.tool;
  const level = policy.levels[permission];
  // An enabled tool of a level that starts disabled asks.
  const decision = level === "disabled" ? "ask" : level;
  const reason = `the level ${permission} is set to ${decision}`;
  if (decision === "allow") return { decision, rule: null, reason };
  const verdict = { decision, rule: null, reason, suggestions: missingRules(policy, request) };
  return decision === "deny" ? { ...verdict, code: "permission_denied" } : verdict;
}

/** The rules that the policy lacks for the call to be allowed. */
function missingRules(policy: Policy, { tool, effects }: PermissionRequest): string[] {
  const uncovered = effects.filter((effect) => {
    if (effect.implied || isFreeRead(effect)) return false;
    return !policy.allow.some((rule) => concernsTool(rule, tool) && matchesEffect(rule, effect, "grant"));
  });
  return uncovered.length === 0
    ? [tool.name]
    : [...new Set(uncovered.map((one) => suggestRule(tool.name, one)))];
}
