import { ModelError } from "../errors.ts";

/** Stands over one request: aborts it when the caller does, or when the server is silent for too long. */
export interface Watchdog {
  /** Aborted with the request's end; give it to everything that belongs to the request. */
  readonly controller: AbortController;
  /** Waits for a promise, at most until abort or the idle time-out. */
  wait<T>(promise: Promise<T>): Promise<T>;
  /** The same for every item of a stream, with the time starting anew at each. */
  each<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
}

/** `wait` rejects with the signal's reason on abort, with a ModelError `network` after `idleMs` of silence. */
export function createWatchdog(signal: AbortSignal, idleMs: number): Watchdog {
  const controller = new AbortController();
  const wait = <T>(promise: Promise<T>): Promise<T> => {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = (reason: unknown): void => {
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = (): void => stop(signal.reason);
    const timer = setTimeout(() => stop(silence(idleMs)), idleMs);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.catch(() => undefined);
    return Promise.race([promise, stopped]).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  };
  return {
    controller,
    wait,
    async *each(source) {
      const iterator = source[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await wait(iterator.next());
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        controller.abort();
        void iterator.return?.().catch(() => undefined);
      }
    },
  };
}

const silence = (idleMs: number): ModelError =>
  new ModelError("network", `the provider sent nothing for ${idleMs / 1000} s`, {
    hint: "raise idleTimeoutMs if the model needs longer to begin",
  });
