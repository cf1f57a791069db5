import type { ResolvedEffect } from "./effect.ts";
import { parseRule, type Rule } from "./rule.ts";
import { suggestRule } from "./suggest.ts";

/** What a person may answer when a call asks. */
export type ApprovalAnswer = "once" | "always" | "no";

/** The rules that *always* adds to the session: each certain effect of the call, else the tool's name. */
export function approvalRules(toolName: string, effects: readonly ResolvedEffect[]): string[] {
  const certain = effects.filter((effect) => !effect.implied);
  return certain.length === 0
    ? [toolName]
    : [...new Set(certain.map((effect) => suggestRule(toolName, effect)))];
}

/** The rules approved in one session. They end with it. */
export class Approvals {
  readonly #rules = new Map<string, Rule>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Throws a SetupError `invalid_rule`. */
  add(rule: string): void {
    this.#rules.set(rule, parseRule(rule, this.#root));
  }

  list(): Rule[] {
    return [...this.#rules.values()];
  }

  clear(): void {
    this.#rules.clear();
  }
}
