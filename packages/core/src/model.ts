import type { ErrorInfo } from "./errors.ts";
import type { Message, ProviderData, ToolCall } from "./message.ts";
import type { ModelPrices } from "./model-prices.ts";
import type { JsonSchema } from "./schema/json-schema.ts";
import type { Tool } from "./tool.ts";
import type { Usage } from "./usage.ts";

/** Why the model stopped. `length`: the answer was cut off; `refusal`: the model declined. */
export type FinishReason = "stop" | "tool_calls" | "length" | "refusal";

/** What a model is asked. */
export interface ModelRequest {
  /** The system prompt. */
  instructions: string;
  /** A message is not changed once it has been in a request: providers keep what they made of it. */
  messages: readonly Message[];
  /** The tools to offer, in a stable order. */
  tools: readonly Tool[];
  /** Where given, the final answer is asked for as JSON of this schema. */
  outputSchema?: JsonSchema;
  /** Stable over a conversation: the key for a provider's prompt cache. */
  sessionId?: string;
  /** No part of the conversation (a summary of it is asked for): a recording leaves it out. */
  aside?: true;
}

/** What a model call is bound by. */
export interface ModelOptions {
  signal: AbortSignal;
}

/**
 * What a model streams. `text` and `reasoning` are deltas; a `reasoning` event with `data` closes its block.
 * A `tool_call` is whole. `usage` has its cost in USD where the prices are known. After `retry` everything since the start of this stream is void and comes again.
 * The last event is `finish`; a stream that ends without it has failed.
 */
export type ModelEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; data?: ProviderData }
  | { type: "tool_call"; call: ToolCall }
  | { type: "usage"; usage: Usage; costUsd?: number }
  | { type: "retry"; attempt: number; delayMs: number; error: ErrorInfo }
  | { type: "finish"; reason: FinishReason };

/** A conversation partner. `stream` throws a ModelError when the call fails for good. */
export interface Model {
  /** As in a config: `provider:name`. */
  readonly id: string;
  /** In tokens, where it is known. */
  readonly contextWindow?: number;
  /** The longest answer, in tokens, where it is known. */
  readonly maxOutputTokens?: number;
  /** Where they are known, every `usage` event has its cost. */
  readonly prices?: ModelPrices;
  stream(request: ModelRequest, options: ModelOptions): AsyncIterable<ModelEvent>;
}
