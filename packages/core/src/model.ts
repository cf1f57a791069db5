import type { ErrorInfo } from "./errors.ts";
import type { Message, ProviderData, ToolCall } from "./message.ts";
import type { JsonSchema } from "./schema/json-schema.ts";
import type { Tool } from "./tool.ts";

/** Why the model stopped. `length`: the answer was cut off; `refusal`: the model declined. */
export type FinishReason = "stop" | "tool_calls" | "length" | "refusal";

/** Tokens of one model call. `inputTokens` counts all of the prompt, what came from the cache included. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
}

export interface ModelRequest {
  /** The system prompt. */
  instructions: string;
  messages: readonly Message[];
  /** The tools to offer, in a stable order. */
  tools: readonly Tool[];
  /** Where given, the final answer is asked for as JSON of this schema. */
  outputSchema?: JsonSchema;
  /** Stable over a conversation: the key for a provider's prompt cache. */
  sessionId?: string;
}

export interface ModelOptions {
  signal: AbortSignal;
}

/**
 * What a model streams. `text` and `reasoning` are deltas; a `reasoning` event with `data` closes its block.
 * A `tool_call` is whole. After `retry` everything since the start of this stream is void and comes again.
 * The last event is `finish`; a stream that ends without it has failed.
 */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; data?: ProviderData }
  | { type: "tool_call"; call: ToolCall }
  | { type: "usage"; usage: Usage }
  | { type: "retry"; attempt: number; delayMs: number; error: ErrorInfo }
  | { type: "finish"; reason: FinishReason };

/** A conversation partner. `stream` throws a ModelError when the call fails for good. */
export interface Model {
  /** As in a config: `provider:name`. */
  readonly id: string;
  /** In tokens, where it is known. */
  readonly contextWindow?: number;
  stream(request: ModelRequest, options: ModelOptions): AsyncIterable<ModelEvent>;
}

export const NO_USAGE: Readonly<Usage> = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
});

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
