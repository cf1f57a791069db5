import { textOf, type ToolCall, type ToolResult } from "@toycoder/core";

/** The same failure so often brings a word to the model; once more ends the run. */
const NUDGE_AT = 3;

/**
 * Watches for a model that goes in circles: the same call with the same failing result, again and again, while
 * nothing else changes.
 */
export class RepeatedCalls {
  readonly #counts = new Map<string, number>();

  /** What to do about a call's result. */
  note(call: ToolCall, result: ToolResult): "go_on" | "nudge" | "stop" {
    if (result.ok) return "go_on";
    const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const key = JSON.stringify([call.name, args, result.error.code, textOf(result.content)]);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count < NUDGE_AT) return "go_on";
    return count === NUDGE_AT ? "nudge" : "stop";
  }

  /** Something has changed, so that the same call may come out otherwise. */
  clear(): void {
    this.#counts.clear();
  }
}
