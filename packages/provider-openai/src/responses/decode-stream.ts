import { type FinishReason, type ModelEvent, type Usage } from "@toycoder/core";
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
import { PROVIDER } from "./quirks.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Events of the Responses API as model events. Items that were not streamed are taken from the final response.
 * Throws a StreamFault for an error in the stream, a ModelError `network` for one that ends before its response.
 */
export async function* decodeStream(
  events: AsyncIterable<ServerEvent>,
  codec: ToolCodec,
): AsyncGenerator<ModelEvent, void, undefined> {
  const answer = new Answer(codec);
  for await (const event of events) {
    if (event === "done") break;
    const type = stringOr(event.type, "");
    switch (type) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        yield* answer.textDelta(event, type === "response.refusal.delta");
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield* answer.reasoningDelta(event);
        break;
      case "response.output_item.done":
        yield* answer.itemDone(fields(event.item), event.output_index);
        break;
      case "response.completed":
      case "response.incomplete":
        yield* answer.end(fields(event.response));
        return;
      case "response.failed":
      case "response.cancelled":
        throw new StreamFault(fields(event.response).error ?? { message: "the response failed" });
      case "error":
        throw new StreamFault(event.error ?? event);
      default:
        if (event.error !== undefined && event.error !== null) throw new StreamFault(event.error);
    }
  }
  throw brokenOff();
}

/**
 * What has come of one answer so far. Items of the stream are told apart by their id; one of the final response has
 * come already where its id or `call_id` has, or else one of its type in its place: some servers name the items of
 * that anew.
 */
class Answer {
  readonly #codec: ToolCodec;
  readonly #callId = createCallIds();
  readonly #streamed = new Map<unknown, unknown>();
  readonly #done = new Set<unknown>();
  readonly #typeAt = new Map<unknown, unknown>();
  #calls = 0;
  #refused = false;

  constructor(codec: ToolCodec) {
    this.#codec = codec;
  }

  *textDelta({ item_id: id, output_index: index, delta }: Fields, refusal: boolean): Generator<ModelEvent> {
    if (typeof delta !== "string" || delta === "") return;
    for (const key of [id, index]) if (key !== undefined) this.#streamed.set(key, true);
    this.#refused ||= refusal;
    yield { type: "text", text: delta };
  }

  *reasoningDelta(event: Fields): Generator<ModelEvent> {
    const { item_id: id, output_index: index, delta } = event;
    if (typeof delta !== "string" || delta === "") return;
    const part = event.summary_index ?? event.content_index;
    const before = this.#streamed.get(id ?? index);
    for (const key of [id, index]) if (key !== undefined) this.#streamed.set(key, part);
    yield { type: "reasoning", text: before !== undefined && before !== part ? `\n\n${delta}` : delta };
  }

  *itemDone(item: Fields, index: unknown): Generator<ModelEvent> {
    if (this.#done.has(item.id ?? index)) return;
    for (const key of [item.id ?? index, item.call_id]) if (key !== undefined) this.#done.add(key);
    this.#typeAt.set(index, item.type);
    yield* this.#item(item, index);
  }

  *#item(item: Fields, index: unknown): Generator<ModelEvent> {
    const streamed = this.#streamed.has(item.id) || this.#streamed.has(index);
    if (item.type === "message") {
      const parts = listOf(item.content).map(fields);
      this.#refused ||= parts.some((part) => part.type === "refusal");
      const text = parts.map((part) => stringOr(part.text ?? part.refusal, "")).join("");
      if (!streamed && text !== "") yield { type: "text", text };
    } else if (item.type === "reasoning") {
      const parts = listOf(item.summary).concat(listOf(item.content)).map(fields);
      const text = streamed ? "" : parts.map((part) => stringOr(part.text, "")).join("\n\n");
      const data =
        typeof item.encrypted_content === "string" ? { data: { provider: PROVIDER, value: item } } : {};
      if (text !== "" || "data" in data) yield { type: "reasoning", text, ...data };
    } else if (item.type === "function_call" && item.status !== "incomplete") {
      const wireName = stringOr(item.name, "");
      this.#calls += 1;
      yield {
        type: "tool_call",
        call: {
          id: this.#callId(item.call_id ?? item.id),
          name: this.#codec.decodeName(wireName),
          arguments: this.#codec.decodeArguments(wireName, item.arguments),
        },
      };
    }
  }

  *end(response: Fields): Generator<ModelEvent> {
    for (const [index, item] of listOf(response.output).map(fields).entries()) {
      const named = this.#done.has(item.id) || this.#done.has(item.call_id);
      const placed = item.call_id === undefined && this.#typeAt.get(index) === item.type;
      if (!named && !placed) yield* this.#item(item, index);
    }
    const usage = usageOf(response.usage);
    if (usage !== undefined) yield { type: "usage", usage };
    yield { type: "finish", reason: this.#reason(fields(response.incomplete_details).reason) };
  }

  #reason(incomplete: unknown): FinishReason {
    if (incomplete === "content_filter" || this.#refused) return "refusal";
    if (typeof incomplete === "string") return "length";
    return this.#calls > 0 ? "tool_calls" : "stop";
  }
}

function usageOf(value: unknown): Usage | undefined {
  if (value === undefined || value === null) return undefined;
  const usage = fields(value);
  const input = fields(usage.input_tokens_details);
  return {
    inputTokens: numberOr(usage.input_tokens, 0),
    outputTokens: numberOr(usage.output_tokens, 0),
    cacheReadTokens: numberOr(input.cached_tokens, 0),
    cacheWriteTokens: numberOr(input.cache_write_tokens, 0),
    reasoningTokens: numberOr(fields(usage.output_tokens_details).reasoning_tokens, 0),
  };
}

/** The event that ends a stream, from a response that came as one JSON value. */
export function unfold(answer: unknown): ServerEvent[] {
  const response = fields(answer);
  if (response.error !== undefined && response.error !== null)
    return [{ type: "error", error: response.error }];
  if (!Array.isArray(response.output)) return [];
  const status = stringOr(response.status, "completed");
  return [{ type: `response.${status}`, response }];
}
