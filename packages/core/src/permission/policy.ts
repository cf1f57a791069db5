import { SetupError } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { type PathPattern, PatternError } from "./glob.ts";
import { DEFAULT_LEVELS, type LevelDecision, type PermissionLevel } from "./level.ts";
import { parseRule, pathPattern, type Rule } from "./rule.ts";

/** What becomes of an *ask* that nobody is there to answer. */
export type OnAsk = "deny" | "allow" | "stop";

/** The texts of a policy, as a config holds them. */
export interface PolicyOptions {
  /** The workspace's real folder: relative patterns start there. */
  root: string;
  levels?: Partial<Record<PermissionLevel, LevelDecision>>;
  allow?: readonly string[];
  ask?: readonly string[];
  deny?: readonly string[];
  /** Paths that no call may write, in the language of path rules. */
  protect?: readonly string[];
  onAsk?: OnAsk;
}

export interface Protection {
  source: string;
  pattern: PathPattern;
}

/** A parsed policy: what {@link PolicyOptions} says, ready to be evaluated. */
export interface Policy {
  readonly root: string;
  readonly levels: Readonly<Record<PermissionLevel, LevelDecision>>;
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
  readonly protect: readonly Protection[];
  readonly onAsk: OnAsk;
}

/** Parses a policy. Throws a SetupError `invalid_rule` for the first rule or protection that cannot be read. */
export function createPolicy(options: PolicyOptions): Policy {
  const { root } = options;
  const parse = (rules: readonly string[] = []): Rule[] => rules.map((rule) => parseRule(rule, root));
  return Object.freeze({
    root,
    levels: Object.freeze({ ...DEFAULT_LEVELS, ...options.levels }),
    allow: parse(options.allow),
    ask: parse(options.ask),
    deny: parse(options.deny),
    protect: (options.protect ?? []).map((source) => parseProtection(source, root)),
    onAsk: options.onAsk ?? "deny",
  });
}

function parseProtection(source: string, root: string): Protection {
  try {
    return { source, pattern: pathPattern(source, root) };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new SetupError(
      "invalid_rule",
      `protect ${JSON.stringify(source)}, column ${error.at + 1}: ${error.message}`,
    );
  }
}

/** Whether an allow or ask rule names the tool literally: that lifts a dangerous tool's being disabled. */
export function namesLiterally(policy: Policy, toolName: string): boolean {
  return [...policy.allow, ...policy.ask].some(
    (rule) => (rule.kind === "tool" || rule.kind === "call") && rule.name.literal === toolName,
  );
}

/** Throws a SetupError `unknown_tool_in_rule` when a rule names a tool that does not exist. */
export function checkRuleNames(policy: Policy, toolNames: Iterable<string>): void {
  const known = new Set(toolNames);
  for (const rule of [...policy.allow, ...policy.ask, ...policy.deny]) {
    if (rule.kind !== "tool" && rule.kind !== "call") continue;
    const { literal } = rule.name;
    if (literal === undefined || known.has(literal)) continue;
    const [near] = nearest(literal, known, 1);
    throw new SetupError(
      "unknown_tool_in_rule",
      `rule ${JSON.stringify(rule.source)}: there is no tool ${literal}`,
      { hint: near === undefined ? `tools are ${[...known].join(", ")}` : `did you mean ${near}?` },
    );
  }
}
