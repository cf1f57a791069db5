import type { AgentEvent } from "@toycoder/agent";

export type CallDecision = Pick<
  Extract<AgentEvent, { type: "decision" }>,
  "decision" | "rule" | "effects" | "refusal"
>;

const VERBS = { allow: "allowed", ask: "asked", deny: "denied", disabled: "disabled" } as const;

/** What was decided, in words, and by which rule: `allowed by run_command(npm test)`. Empty for a level's plain yes. */
export function decisionText({ decision, rule, refusal }: CallDecision): string {
  if (rule !== null) return `${VERBS[decision]} by ${rule}`;
  if (decision === "allow") return "";
  if (decision === "ask") return refusal === undefined ? "asked, allowed" : "refused";
  return VERBS[decision];
}
