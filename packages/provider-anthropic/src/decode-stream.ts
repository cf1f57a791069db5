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
import { PROVIDER } from "./quirks.ts";
import type { ServerEvent } from "./server-events.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A content block as far as it has come. */
interface Block {
  type: string;
  id: unknown;
  name: string;
  input: unknown;
  json: string;
  signature: string;
}

/**
 * Events of the Messages API as model events. A call comes out when its block stops. Throws a StreamFault for an
 * error in the stream, a ModelError `network` for one that ends before `message_stop`.
 */
export async function* decodeStream(
  events: AsyncIterable<ServerEvent>,
  codec: ToolCodec,
): AsyncGenerator<ModelEvent, void, undefined> {
  const blocks = new Map<unknown, Block>();
  const callId = createCallIds();
  let usage: Fields = {};
  let stopReason: unknown;
  let calls: Block[] = [];

  for await (const event of events) {
    switch (event.type) {
      case "message_start":
        usage = latest(usage, fields(event.message).usage);
        break;
      case "content_block_start": {
        const { block, first } = startBlock(fields(event.content_block));
        blocks.set(event.index, block);
        if (first !== undefined) yield first;
        break;
      }
      case "content_block_delta": {
        const block = blocks.get(event.index);
        const out = block && addDelta(block, fields(event.delta));
        if (out !== undefined) yield out;
        break;
      }
      case "content_block_stop": {
        const block = blocks.get(event.index);
        blocks.delete(event.index);
        if (block?.type === "thinking" && block.signature !== "") {
          yield reasoningData({ type: "thinking", signature: block.signature });
        }
        if (block?.type === "tool_use") calls = [...calls, block];
        break;
      }
      case "message_delta":
        usage = latest(usage, event.usage);
        stopReason = fields(event.delta).stop_reason ?? stopReason;
        break;
      case "message_stop": {
        if (typeof stopReason !== "string") throw brokenOff();
        const cutOff = finishReason(stopReason, 0) === "length";
        const whole = calls.filter((call) => !cutOff || isWhole(call));
        for (const call of whole) {
          yield {
            type: "tool_call",
            call: {
              id: callId(call.id),
              name: codec.decodeName(call.name),
              arguments: codec.decodeArguments(call.name, call.json === "" ? call.input : call.json),
            },
          };
        }
        yield { type: "usage", usage: usageOf(usage) };
        yield { type: "finish", reason: finishReason(stopReason, whole.length) };
        return;
      }
      case "error":
        throw new StreamFault(event.error ?? event);
      default:
        if (event.error !== undefined && event.error !== null) throw new StreamFault(event.error);
    }
  }
  throw brokenOff();
}

function startBlock(given: Fields): { block: Block; first: ModelEvent | undefined } {
  const type = stringOr(given.type, "");
  const block: Block = {
    type,
    id: given.id,
    name: stringOr(given.name, ""),
    input: given.input,
    json: "",
    signature: stringOr(given.signature, ""),
  };
  const text = stringOr(type === "thinking" ? given.thinking : given.text, "");
  if (type === "text" && text !== "") return { block, first: { type: "text", text } };
  if (type === "thinking" && text !== "") return { block, first: { type: "reasoning", text } };
  if (type === "redacted_thinking") return { block, first: reasoningData({ type, data: given.data }) };
  return { block, first: undefined };
}

function addDelta(block: Block, delta: Fields): ModelEvent | undefined {
  const text = stringOr(delta.text, "");
  if (delta.type === "text_delta" && text !== "") return { type: "text", text };
  const thinking = stringOr(delta.thinking, "");
  if (delta.type === "thinking_delta" && thinking !== "") return { type: "reasoning", text: thinking };
  if (delta.type === "signature_delta") block.signature += stringOr(delta.signature, "");
  if (delta.type === "input_json_delta") block.json += stringOr(delta.partial_json, "");
  return undefined;
}

const reasoningData = (value: Fields): ModelEvent => ({
  type: "reasoning",
  text: "",
  data: { provider: PROVIDER, value },
});

/** Where the answer was cut off, a call is whole only if its arguments are. */
function isWhole({ json }: Block): boolean {
  try {
    return json === "" || JSON.parse(json) !== undefined;
  } catch {
    return false;
  }
}

function finishReason(stop: string, calls: number): FinishReason {
  if (stop === "refusal") return "refusal";
  if (stop === "max_tokens" || stop === "model_context_window_exceeded") return "length";
  return calls > 0 ? "tool_calls" : "stop";
}

/** Later counts are cumulative and win; null and missing ones say nothing. */
const latest = (before: Fields, update: unknown): Fields => ({
  ...before,
  ...Object.fromEntries(Object.entries(fields(update)).filter(([, value]) => value !== null)),
});

/** The API counts apart what was read from the cache and written to it; `inputTokens` is all of the prompt. */
function usageOf(usage: Fields): Usage {
  const cacheReadTokens = numberOr(usage.cache_read_input_tokens, 0);
  const cacheWriteTokens = numberOr(usage.cache_creation_input_tokens, 0);
  return {
    inputTokens: numberOr(usage.input_tokens, 0) + cacheReadTokens + cacheWriteTokens,
    outputTokens: numberOr(usage.output_tokens, 0),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: numberOr(fields(usage.output_tokens_details).thinking_tokens, 0),
  };
}

/** The events of a message that came as one JSON value. */
export function unfold(answer: unknown): ServerEvent[] {
  const message = fields(answer);
  if (message.type === "error" || (message.error !== undefined && message.error !== null)) {
    return [{ type: "error", error: message.error ?? message }];
  }
  if (!Array.isArray(message.content)) return [];
  return [
    { type: "message_start", message },
    ...listOf(message.content).flatMap((block, index): ServerEvent[] => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: message.stop_reason ?? "end_turn" }, usage: {} },
    { type: "message_stop" },
  ];
}
