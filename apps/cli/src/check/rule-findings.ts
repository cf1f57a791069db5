import type { Policy, Rule, Tool, ToolRegistry } from "@toycoder/core";

export interface RuleFinding {
  list: "allow" | "ask" | "deny";
  rule: string;
  /** What surely is the matter with it. */
  problem: string;
}

/**
 * Rules that surely do nothing: those that stand there twice, and those of which every call is decided by a rule
 * of a list that comes before. Where the texts alone can't tell, nothing is said.
 */
export function ruleFindings(
  policy: Policy,
  registry: ToolRegistry,
  disabled: readonly string[],
): RuleFinding[] {
  const tools = registry.list({ includeDeprecated: true });
  const originOf = (tool: Tool): string | undefined => registry.origin(tool.name).plugin;
  const findings: RuleFinding[] = [];
  for (const list of ["deny", "ask", "allow"] as const) {
    const seen = new Set<string>();
    for (const rule of policy[list]) {
      const add = (problem: string): void => void findings.push({ list, rule: rule.source, problem });
      if (seen.has(rule.source)) add("it is there twice");
      else if (list !== "deny" && isOff(rule, disabled)) add("tools.disable takes its tool away");
      else {
        const denied = list !== "deny" && policy.deny.find((one) => covers(one, rule, tools, originOf));
        const asked = list === "allow" && policy.ask.find((one) => covers(one, rule, tools, originOf));
        if (denied) add(`it is never reached: ${denied.source} denies all of it`);
        else if (asked) add(`it allows nothing by itself: ${asked.source} asks about all of it`);
      }
      seen.add(rule.source);
    }
  }
  return findings;
}

const nameOf = (rule: Rule): string | undefined =>
  rule.kind === "tool" || rule.kind === "call" ? rule.name.literal : undefined;

const isOff = (rule: Rule, disabled: readonly string[]): boolean => disabled.includes(nameOf(rule) ?? "");

/** Whether every call or effect that `rule` speaks of surely meets `above`. */
function covers(
  above: Rule,
  rule: Rule,
  tools: readonly Tool[],
  originOf: (tool: Tool) => string | undefined,
): boolean {
  if (above.source === rule.source) return true;
  if (rule.kind === "tool" || rule.kind === "call") {
    const named = tools.filter((tool) => rule.name.test(tool.name));
    const whole = (tool: Tool): boolean =>
      above.kind === "tool"
        ? above.name.test(tool.name)
        : above.kind === "group" &&
          above.value.test(
            { level: tool.permission, category: tool.category, plugin: originOf(tool), mcp: undefined }[
              above.group
            ] ?? "",
          );
    if (named.length > 0 && named.every(whole)) return true;
  }
  const same =
    (above.kind === "effect" && rule.kind === "effect" && above.effect === rule.effect) ||
    (above.kind === "call" &&
      rule.kind === "call" &&
      nameOf(above) !== undefined &&
      nameOf(above) === nameOf(rule));
  const command = above.kind === "effect" && above.effect === "exec" && nameOf(rule) === "run_command";
  if ((above.kind !== "effect" && above.kind !== "call") || (rule.kind !== "effect" && rule.kind !== "call"))
    return false;
  if (command || (same && isCommand(above))) return coversWords(above, rule);
  return same && coversPaths(above, rule);
}

type Patterned = Extract<Rule, { pattern: object }>;
type Segment = NonNullable<Patterned["pattern"]["path"]>["segments"][number];

const isCommand = (rule: Patterned): boolean =>
  rule.kind === "effect" ? rule.effect === "exec" : nameOf(rule) === "run_command";

/** Word by word the same, until the upper one ends in `*` for all that may follow. */
function coversWords({ pattern: above }: Patterned, { pattern }: Patterned): boolean {
  if (above.words === undefined || pattern.words === undefined) return false;
  const open = above.words.at(-1) === "*";
  const fixed = open ? above.words.slice(0, -1) : above.words;
  if (pattern.words.length < fixed.length || (!open && pattern.words.length !== fixed.length)) return false;
  const words = pattern.words;
  return fixed.every((word, index) => {
    const other = words[index];
    if (word === "*" || other === "*" || other === undefined) return false;
    return word.literal !== undefined && word.literal === other.literal;
  });
}

/** A folder without wildcards holds everything in it; one that may lie anywhere does so wherever it is named. */
function coversPaths({ pattern: above }: Patterned, { pattern }: Patterned): boolean {
  if (above.path === undefined || pattern.path === undefined) return false;
  const literals = (segments: readonly Segment[]): (string | undefined)[] =>
    segments.map((segment) => (segment === "**" ? undefined : segment.literal));
  const { segments } = above.path;
  const anywhere = segments[0] === "**";
  const fixed = literals(segments.slice(anywhere ? 1 : 0, segments.at(-1) === "**" ? -1 : undefined));
  const inner = literals(pattern.path.segments);
  const open = inner.indexOf(undefined);
  const named = open === -1 ? inner : inner.slice(0, open);
  const fits = (start: number): boolean =>
    start + fixed.length <= named.length &&
    fixed.every((word, at) => word !== undefined && word === named[start + at]);
  if (fixed.length === 0) return false;
  return anywhere ? named.some((_, start) => fits(start)) : fits(0);
}
