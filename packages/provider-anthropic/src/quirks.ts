import type { ReasoningEffort } from "@toycoder/core/wire";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";

/** The owner of what this API wants back untouched. */
export const PROVIDER = "anthropic";

/**
 * `max_tokens`, which the API requires, where the settings don't say it: what the model can write at most, and
 * not over 32,000 (a turn of an agent is shorter, and thinking counts). As known in
 * 2026-11, by the names in the SDK's model list; the first pattern that fits holds.
 */
const MAX_TOKENS: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:2|instant)|claude-3-(?:opus|haiku|sonnet)/, 4096],
  [/claude-3-5-/, 8192],
];
const DEFAULT_MAX_TOKENS = 32_000;

export const defaultMaxTokens = (model: string): number =>
  MAX_TOKENS.find(([pattern]) => pattern.test(model))?.[1] ?? DEFAULT_MAX_TOKENS;

/** Models before adaptive thinking, which take a budget in tokens instead of an effort. As known in 2026-11. */
const BUDGET_MODELS = /claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8}|@\d{8}|-latest)?$)/;

const BUDGETS: Readonly<Record<Exclude<ReasoningEffort, "none">, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 28_672,
};

/**
 * Whether a model takes an output format. Anthropic docs, "Structured outputs": generally available from Sonnet 4.5,
 * Opus 4.5 and Haiku 4.5 on; the API refuses it for older ones.
 */
export const takesOutputFormat = (model: string): boolean =>
  !/claude-(?:2|instant|3-|(?:opus|sonnet|haiku)-4(?:-[01])?(?:-\d{8}|@\d{8}|-latest)?$)/.test(model);

type ThinkingParams = Pick<MessageCreateParamsStreaming, "thinking" | "output_config">;

/**
 * How hard to think, as the model takes it. Without an effort nothing is sent, and the model does as it does by
 * default. A budget stays under `maxTokens`, as the API wants it; where there is no room for one, it is left out.
 */
export function thinkingParams(
  model: string,
  effort: ReasoningEffort | undefined,
  maxTokens: number,
): ThinkingParams {
  if (effort === undefined) return {};
  if (effort === "none") return { thinking: { type: "disabled" } };
  if (BUDGET_MODELS.test(model)) {
    const budget = Math.min(BUDGETS[effort], maxTokens - 1024);
    return budget < 1024 ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
  }
  return {
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: effort === "minimal" ? "low" : effort },
  };
}
