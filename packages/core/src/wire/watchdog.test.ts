import { expect, test, vi } from "vitest";
import { createWatchdog } from "./watchdog.ts";

const never = new Promise<never>(() => undefined);
const signalOf = (controller = new AbortController()): AbortSignal => controller.signal;

test("what comes in time passes", async () => {
  const watchdog = createWatchdog(signalOf(), 60_000);
  await expect(watchdog.wait(Promise.resolve(5))).resolves.toBe(5);
  await expect(watchdog.wait(Promise.reject(new Error("x")))).rejects.toThrow("x");
});

test("silence is a network failure that aborts the request", async () => {
  vi.useFakeTimers();
  try {
    const watchdog = createWatchdog(signalOf(), 300_000);
    const waiting = watchdog.wait(never).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(300_000);
    const message = "the provider sent nothing for 300 s";
    expect(await waiting).toMatchObject({ kind: "network", message });
    expect(watchdog.controller.signal.aborted).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("abort is immediate, with the caller's reason, also for a signal that was aborted before", async () => {
  const controller = new AbortController();
  const watchdog = createWatchdog(controller.signal, 60_000);
  const waiting = watchdog.wait(never);
  controller.abort(new Error("stop"));
  await expect(waiting).rejects.toThrow("stop");
  await expect(watchdog.wait(never)).rejects.toThrow("stop");
  expect(watchdog.controller.signal.aborted).toBe(true);
});

test("each item starts the time anew, and the source is closed in the end", async () => {
  let closed = false;
  async function* source(): AsyncGenerator<number> {
    try {
      yield 1;
      yield 2;
    } finally {
      closed = true;
    }
  }
  const seen: number[] = [];
  for await (const item of createWatchdog(signalOf(), 60_000).each(source())) {
    seen.push(item);
    if (item === 2) break;
  }
  expect(seen).toEqual([1, 2]);
  expect(closed).toBe(true);
});
