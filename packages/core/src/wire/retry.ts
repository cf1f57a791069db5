import { errorInfo } from "../errors.ts";
import type { ModelEvent } from "../model.ts";
import type { Failure } from "./classify-failure.ts";

/** When and how often a failed model call is made again. */
export interface RetryOptions {
  /** How many times after the first; default 4. */
  retries?: number;
  /** The first wait in milliseconds, doubled each time; default 500. */
  baseMs?: number;
  /** The longest wait of our own, in milliseconds; default 8,000. */
  maxMs?: number;
  /** The longest wait that a server's `retry-after` is followed to, in milliseconds; default 60,000. */
  maxRetryAfterMs?: number;
  /** A number from 0 up to 1; default Math.random. */
  random?: () => number;
  /** Waits, and ends early when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Streams `attempt`, and once more after each failure that may pass, up to the limit. A `retry` event comes
 * before the wait: what was streamed until then is void. Throws the last failure's ModelError, or the signal's
 * reason at once when it aborts.
 */
export async function* withRetry(
  attempt: () => AsyncIterable<ModelEvent>,
  classify: (thrown: unknown) => Failure,
  signal: AbortSignal,
  options: RetryOptions = {},
): AsyncGenerator<ModelEvent, void, undefined> {
  const { retries = 4, sleep = defaultSleep } = options;
  for (let failed = 1; ; failed++) {
    try {
      signal.throwIfAborted();
      yield* attempt();
      return;
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = classify(thrown);
      if (!failure.retryable || failed > retries) throw failure.error;
      const { kind, message, hint } = failure.error;
      const delayMs = delay(failed, failure.retryAfterMs, options);
      yield { type: "retry", attempt: failed, delayMs, error: errorInfo(kind, message, hint) };
      await sleep(delayMs, signal);
    }
  }
}

function delay(failed: number, asked: number | undefined, options: RetryOptions): number {
  const { baseMs = 500, maxMs = 8000, maxRetryAfterMs = 60_000, random = Math.random } = options;
  if (asked !== undefined) return Math.min(asked, maxRetryAfterMs);
  return Math.round(Math.min(maxMs, baseMs * 2 ** (failed - 1)) * (1 - random() / 4));
}

function defaultSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
