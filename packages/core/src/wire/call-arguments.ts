import type { ToolCall } from "../message.ts";
import { isRecord } from "../schema/json-schema.ts";

/**
 * The arguments of an earlier call as the JSON object that every provider wants back. Text that was never an
 * object (the model broke off, or wrote something else) becomes `{}`: its result says what was wrong with it.
 */
export function argumentsObject({ arguments: given }: ToolCall): Readonly<Record<string, unknown>> {
  if (typeof given !== "string") return isRecord(given) ? given : {};
  try {
    const value = JSON.parse(given) as unknown;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
