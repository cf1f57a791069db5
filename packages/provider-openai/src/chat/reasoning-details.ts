import { isRecord } from "@toycoder/core/wire";

type Detail = Readonly<Record<string, unknown>>;

/** The texts of a detail, which come in pieces. OpenRouter docs, Reasoning Tokens, "reasoning_details Array Structure". */
const PIECES = ["text", "summary", "data"] as const;

/** Puts the `reasoning_details` of one answer together, as OpenRouter wants them back: whole, in their order. */
export function addDetails(details: Detail[], deltas: readonly unknown[]): void {
  for (const delta of deltas) {
    if (!isRecord(delta)) continue;
    const last = details.at(-1);
    const same =
      last !== undefined &&
      last.type === delta.type &&
      last.index === delta.index &&
      delta.index !== undefined;
    if (!same) {
      details.push(delta);
      continue;
    }
    const whole: Record<string, unknown> = { ...last };
    for (const [key, value] of Object.entries(delta))
      if (value !== null && value !== undefined) whole[key] = value;
    for (const key of PIECES) {
      if (typeof last[key] === "string" && typeof delta[key] === "string")
        whole[key] = last[key] + delta[key];
    }
    details[details.length - 1] = whole;
  }
}
