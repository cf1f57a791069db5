import type { FinishReason, ModelEvent, Usage } from "@toycoder/core";
import {
  brokenOff,
  createCallIds,
  fields,
  listOf,
  numberOr,
  StreamFault,
  stringOr,
  type ToolCodec,
} from "@toycoder/core/wire";
import type { ServerEvent } from "../server-events.ts";
import { createCallCollector, type PartialCall } from "./collect-calls.ts";
import { PROVIDER, REASONING_FIELDS } from "./quirks.ts";
import { addDetails } from "./reasoning-details.ts";

/**
 * Chunks of Chat Completions as model events. An answer is complete with a `finish_reason`, or with `[DONE]` once
 * there is something; calls come out at its end. Throws a StreamFault for an error in the stream, a ModelError
 * `network` for one that ends before its answer.
 */
export async function* decodeStream(
  events: AsyncIterable<ServerEvent>,
  codec: ToolCodec,
): AsyncGenerator<ModelEvent, void, undefined> {
  const collector = createCallCollector();
  const details: Readonly<Record<string, unknown>>[] = [];
  let reasoningField: string | undefined;
  let usage: Usage | undefined;
  let finish: unknown;
  let answered = false;
  let refused = false;
  let done = false;

  for await (const event of events) {
    if (event === "done") {
      done = true;
      break;
    }
    if (event.error !== undefined && event.error !== null) throw new StreamFault(event.error);
    usage = usageOf(event.usage) ?? usage;
    const choice = listOf(event.choices)
      .map(fields)
      .find(({ index }) => index === undefined || index === 0);
    if (choice === undefined) continue;
    // Some servers write an empty reason into every chunk.
    finish ??= choice.finish_reason === "" ? undefined : choice.finish_reason;
    const delta = fields(choice.delta);
    addDetails(details, listOf(delta.reasoning_details));
    for (const field of REASONING_FIELDS) {
      const text = stringOr(delta[field], "");
      if (text === "") continue;
      reasoningField = field;
      yield { type: "reasoning", text };
      break;
    }
    const refusal = stringOr(delta.refusal, "");
    const text = contentText(delta.content) + refusal;
    refused ||= refusal !== "";
    const toolCalls = listOf(delta.tool_calls);
    if (reasoningField !== undefined && (text !== "" || toolCalls.length > 0)) {
      yield closeReasoning(reasoningField);
      reasoningField = undefined;
    }
    if (text !== "") yield { type: "text", text };
    collector.add(toolCalls);
    answered ||= text !== "" || toolCalls.length > 0;
  }

  if (finish === "error") throw new StreamFault({ message: "the provider stopped the answer with an error" });
  if (typeof finish !== "string" && !(done && answered)) throw brokenOff();
  if (reasoningField !== undefined) yield closeReasoning(reasoningField);
  if (details.length > 0)
    yield { type: "reasoning", text: "", data: { provider: PROVIDER, value: { details } } };
  const calls = collector.calls.filter((call) => finish !== "length" || isWhole(call));
  const callId = createCallIds();
  for (const call of calls) {
    const name = codec.decodeName(call.name);
    const decoded = codec.decodeArguments(call.name, call.arguments);
    const data = call.extra !== undefined && { provider: PROVIDER, value: { extra_content: call.extra } };
    yield {
      type: "tool_call",
      call: { id: callId(call.id), name, arguments: decoded, ...(data && { data }) },
    };
  }
  if (usage !== undefined) yield { type: "usage", usage };
  yield { type: "finish", reason: finishReason(finish, refused, calls.length) };
}

const closeReasoning = (field: string): ModelEvent => ({
  type: "reasoning",
  text: "",
  data: { provider: PROVIDER, value: { field } },
});

/** Mistral streams parts instead of a string. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => stringOr(fields(part).text, ""))
    .join("");
}

/** Where the answer was cut off, a call is whole only if its arguments are. */
function isWhole({ arguments: given }: PartialCall): boolean {
  if (typeof given !== "string") return true;
  try {
    JSON.parse(given);
    return true;
  } catch {
    return false;
  }
}

function finishReason(finish: unknown, refused: boolean, calls: number): FinishReason {
  if (finish === "length") return "length";
  if (finish === "content_filter" || (refused && calls === 0)) return "refusal";
  return calls > 0 ? "tool_calls" : "stop";
}

function usageOf(value: unknown): Usage | undefined {
  if (value === undefined || value === null) return undefined;
  const usage = fields(value);
  const prompt = fields(usage.prompt_tokens_details);
  return {
    inputTokens: numberOr(usage.prompt_tokens, 0),
    outputTokens: numberOr(usage.completion_tokens, 0),
    cacheReadTokens: numberOr(prompt.cached_tokens, numberOr(usage.prompt_cache_hit_tokens, 0)),
    cacheWriteTokens: numberOr(prompt.cache_write_tokens, 0),
    reasoningTokens: numberOr(fields(usage.completion_tokens_details).reasoning_tokens, 0),
  };
}

/** The one chunk that a completion makes which came as one JSON value. */
export function unfold(answer: unknown): ServerEvent[] {
  const completion = fields(answer);
  const choices = listOf(completion.choices)
    .map(fields)
    .map(({ message, finish_reason: finish, ...rest }) => {
      const calls = listOf(fields(message).tool_calls).map((call, index) => ({ ...fields(call), index }));
      return { ...rest, delta: { ...fields(message), tool_calls: calls }, finish_reason: finish ?? "stop" };
    });
  return [{ ...completion, choices }];
}
