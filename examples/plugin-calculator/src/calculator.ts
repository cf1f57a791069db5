import { type ResourceLimits, Worker } from "node:worker_threads";
import { messageOf } from "@toycoder/core";
import type { Reply } from "./evaluate.ts";

/** What an expression may take beside time. A thread over its limit ends; the process goes on. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Evaluates in threads, because a calculation that has begun can't be interrupted otherwise. A thread that answered
 * is kept for the next call; one that was aborted is ended.
 */
export class Calculator {
  readonly #limits: ResourceLimits;
  #idle: Worker | undefined;
  readonly #running = new Set<Worker>();

  constructor(limits: ResourceLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Resolves to the value or the problem. Rejects with the signal's reason when that aborts. */
  async evaluate(expression: string, signal: AbortSignal): Promise<Reply> {
    signal.throwIfAborted();
    const worker = this.#idle ?? startThread(this.#limits);
    this.#idle = undefined;
    this.#running.add(worker);
    worker.ref();
    let isWhole = false;
    try {
      const reply = await answer(worker, expression, signal);
      isWhole = true;
      return reply;
    } finally {
      this.#running.delete(worker);
      if (isWhole && this.#idle === undefined) this.#keep(worker);
      else await worker.terminate();
    }
  }

  /** Ends every thread. The calculator can be used again. */
  async dispose(): Promise<void> {
    const threads = [...this.#running, ...(this.#idle === undefined ? [] : [this.#idle])];
    this.#idle = undefined;
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  /** A thread that waits keeps no process alive. */
  #keep(worker: Worker): void {
    worker.unref();
    this.#idle = worker;
  }
}

function startThread(resourceLimits: ResourceLimits): Worker {
  const file = `./calculator-worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`;
  // Without the environment and the arguments of the process: arithmetic needs none of them.
  const worker = new Worker(new URL(file, import.meta.url), { resourceLimits, env: {}, argv: [] });
  // One that fails while it is being ended has nobody left to tell, and is not to end the process.
  return worker.on("error", () => {});
}

async function answer(worker: Worker, expression: string, signal: AbortSignal): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const onAbort = (): void => reject(signal.reason as Error);
  const onError = (error: unknown): void => {
    const isFull = (error as { code?: unknown } | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (!isFull) reject(error instanceof Error ? error : new Error(messageOf(error)));
    else resolve({ code: "too_large", message: "the calculation needs too much memory" });
  };
  const onExit = (): void => reject(new Error("the calculator was ended"));
  signal.addEventListener("abort", onAbort);
  worker.on("message", resolve).on("error", onError).on("exit", onExit);
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(expression);
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    worker.off("message", resolve).off("error", onError).off("exit", onExit);
  }
}
