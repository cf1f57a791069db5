import type { ReasoningEffort } from "@toycoder/core/wire";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";

/** How one server's Responses API differs from OpenAI's. */
export interface ResponsesQuirks {
  /** Tools in strict form where it can say them; default: where the server is OpenAI's or Azure's. */
  strictTools: boolean;
}

/** The owner of what this API wants back untouched. */
export const PROVIDER = "openai";

/**
 * Models without reasoning, which refuse `reasoning` and `include: ["reasoning.encrypted_content"]` ("Encrypted
 * content is not supported with this model"). As known in 2026-11, by the
 * names in the SDK's model list; every other model reasons.
 */
const WITHOUT_REASONING = /^(?:gpt-3|gpt-4|chatgpt-|gpt-5(?:\.\d+)?-chat)/;

/**
 * The part of a request that depends on whether the model reasons. Nothing is kept at OpenAI (`store: false`), so
 * reasoning comes encrypted and goes back with the conversation. Summaries are not asked for: OpenAI refuses
 * the whole request where an organization is not verified.
 */
export function reasoningParams(
  model: string,
  effort: ReasoningEffort | undefined,
): Pick<ResponseCreateParamsStreaming, "include" | "reasoning"> {
  const bare = model.replace(/^.*\//, "").replace(/^ft:/, "");
  if (WITHOUT_REASONING.test(bare)) return {};
  const include = ["reasoning.encrypted_content" as const];
  return effort === undefined ? { include } : { include, reasoning: { effort } };
}
