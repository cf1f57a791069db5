import type { ReasoningEffort } from "@toycoder/core/wire";
import type { ChatQuirks } from "./quirks.ts";

type EffortParams = Record<string, unknown>;

/**
 * How hard to think, as a server takes it. DeepSeek docs, Thinking Mode: `thinking` switches it, `reasoning_effort`
 * has no `none`. Alibaba Cloud Model Studio docs, Deep thinking: `enable_thinking` switches it, there are no efforts.
 */
export function effortParams(effort: ReasoningEffort, way: ChatQuirks["effort"]): EffortParams {
  if (way === "enable_thinking") return { enable_thinking: effort !== "none" };
  if (way === "reasoning_effort") return { reasoning_effort: effort };
  return effort === "none"
    ? { thinking: { type: "disabled" } }
    : { thinking: { type: "enabled" }, reasoning_effort: effort };
}
