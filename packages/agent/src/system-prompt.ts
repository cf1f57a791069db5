import type { Policy } from "@toycoder/core";
import { describePolicy } from "./describe-policy.ts";

/** What the system prompt tells. */
export interface PromptFacts {
  /** The workspace's folder. */
  workspace: string;
  /** The day, for instance 2026-01-31. */
  date: string;
  platform: string;
  /** Whether a person is there to approve and to answer. */
  attended: boolean;
  /** Told in two lines. */
  policy?: Policy;
  /** From AGENTS.md, then the config, then plugins. */
  instructions?: readonly string[];
}

/** The system prompt: the same text over a whole session, so that the provider's prompt cache holds. */
export function systemPrompt(facts: PromptFacts): string {
  const { workspace, date, platform, attended, policy, instructions = [] } = facts;
  const presence = attended
    ? "A person watches and may be asked to approve a call."
    : "Nobody is there to answer or approve: decide yourself, and go on without what is refused.";
  const base = `You are ToyCoder, a coding agent. You work in the folder ${workspace} (${platform}, ${date}) with the tools you are given.

- Look before you change: search and read, then edit. Give paths relative to the folder.
- Make independent calls together in one answer.
- Check your work with the project's own tests or build where you can.
- Every call is judged by a policy. A denial is final: never try to get round it.
- ${presence}
- When the task is done, stop calling tools and say briefly what you did and what is left.`;
  const rules = policy === undefined ? "" : describePolicy(policy, attended);
  return [base, rules, ...instructions].filter((one) => one.trim() !== "").join("\n\n");
}
