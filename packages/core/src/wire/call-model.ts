import { ModelError } from "../errors.ts";
import type { ModelEvent } from "../model.ts";
import { costOf, type ModelPrices } from "../model-prices.ts";
import { classifyFailure, type FailureContext } from "./classify-failure.ts";
import { readAnswer } from "./read-answer.ts";
import type { ModelSettings } from "./model-settings.ts";
import { withRetry } from "./retry.ts";
import { createWatchdog } from "./watchdog.ts";

/** One provider's protocol, in the four steps that {@link callModel} puts together. */
export interface Protocol<Chunk> {
  /** Sends the request and resolves to its response; rejects for a status that is not a success. */
  send(signal: AbortSignal): Promise<Response>;
  /** The events of an event stream, parsed. */
  events(response: Response, controller: AbortController): AsyncIterable<Chunk>;
  /** The same events, from an answer that came as one JSON value. */
  unfold(answer: unknown): readonly Chunk[];
  /** Ends with `finish`, or throws: an answer without its end is a failure. */
  decode(chunks: AsyncIterable<Chunk>): AsyncIterable<ModelEvent>;
}

/** How a model call is made. */
export interface CallOptions {
  signal: AbortSignal;
  settings: Pick<ModelSettings, "retries" | "idleTimeoutMs">;
  failure: FailureContext;
  /** Where given, `usage` events get their cost. */
  prices?: ModelPrices;
}

/** How long a stream may be silent until the call counts as broken. */
export const DEFAULT_IDLE_TIMEOUT_MS = 300_000;

/** Makes a model call with retries. Throws a ModelError when it fails for good, the signal's reason on abort. */
export function callModel<Chunk>(
  protocol: Protocol<Chunk>,
  options: CallOptions,
): AsyncGenerator<ModelEvent> {
  const { signal, settings, failure, prices } = options;
  const { retries = {}, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = settings;
  return withRetry(
    async function* () {
      const watchdog = createWatchdog(signal, idleTimeoutMs);
      const response = await watchdog.wait(protocol.send(watchdog.controller.signal));
      const answer = await watchdog.wait(readAnswer(response, failure.baseURL));
      const chunks =
        answer.kind === "events"
          ? protocol.events(answer.response, watchdog.controller)
          : fromArray(protocol.unfold(answer.value));
      const events = protocol.decode(watchdog.each(chunks));
      yield* prices === undefined ? events : withCost(events, prices);
    },
    (thrown) => classifyFailure(thrown, failure),
    signal,
    typeof retries === "number" ? { retries } : retries,
  );
}

async function* withCost(
  events: AsyncIterable<ModelEvent>,
  prices: ModelPrices,
): AsyncGenerator<ModelEvent, void, undefined> {
  for await (const event of events) {
    yield event.type === "usage" ? { ...event, costUsd: costOf(event.usage, prices) } : event;
  }
}

async function* fromArray<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  for (const item of items) yield await Promise.resolve(item);
}

/** The failure of a stream that ended in good order, but before the answer did. */
export const brokenOff = (): ModelError =>
  new ModelError("network", "the provider's stream ended before the answer was complete");
