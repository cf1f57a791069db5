import { expect, test } from "vitest";
import { ModelError } from "../errors.ts";
import type { ModelEvent } from "../model.ts";
import type { Failure } from "./classify-failure.ts";
import { type RetryOptions, withRetry } from "./retry.ts";
import { retryAfterMs } from "./retry-after.ts";

const text = (value: string): ModelEvent => ({ type: "text", text: value });
const failure = (more: Partial<Failure> = {}): Failure => ({
  error: new ModelError("overloaded", "busy"),
  retryable: true,
  ...more,
});

/** An attempt that fails `times` times, after some text. */
function failing(times: number): () => AsyncGenerator<ModelEvent> {
  let count = 0;
  return async function* () {
    yield text(`try ${++count}`);
    if (count <= times) throw new Error("x");
    yield { type: "finish", reason: "stop" };
  };
}

async function run(
  attempt: () => AsyncIterable<ModelEvent>,
  classify: () => Failure,
  options: RetryOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<{ events: ModelEvent[]; waits: number[]; thrown: unknown }> {
  const events: ModelEvent[] = [];
  const waits: number[] = [];
  const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
  try {
    for await (const event of withRetry(attempt, classify, signal, { sleep, random: () => 0, ...options }))
      events.push(event);
  } catch (thrown) {
    return { events, waits, thrown };
  }
  return { events, waits, thrown: undefined };
}

test("a failure that may pass is tried again, and a retry event voids what came before", async () => {
  const { events, waits } = await run(failing(2), () => failure());
  expect(events.map(({ type }) => type)).toEqual(["text", "retry", "text", "retry", "text", "finish"]);
  expect(events[1]).toEqual({
    type: "retry",
    attempt: 1,
    delayMs: 500,
    error: { code: "overloaded", message: "busy" },
  });
  expect(waits).toEqual([500, 1000]);
});

test("four times by default, then the failure is thrown", async () => {
  const { waits, thrown } = await run(failing(9), () => failure());
  expect(waits).toEqual([500, 1000, 2000, 4000]);
  expect(thrown).toMatchObject({ kind: "overloaded" });
});

test("what will not pass is thrown at once", async () => {
  const { events, thrown } = await run(failing(1), () => failure({ retryable: false }));
  expect(events).toHaveLength(1);
  expect(thrown).toBeDefined();
});

test("the wait has jitter below, a ceiling of its own, and follows the server up to a cap", async () => {
  expect((await run(failing(1), () => failure(), { random: () => 0.999 })).waits[0]).toBe(375);
  expect((await run(failing(9), () => failure(), { retries: 6, maxMs: 3000 })).waits).toEqual([
    500, 1000, 2000, 3000, 3000, 3000,
  ]);
  expect((await run(failing(1), () => failure({ retryAfterMs: 1234 }))).waits).toEqual([1234]);
  expect((await run(failing(1), () => failure({ retryAfterMs: 9e9 }))).waits).toEqual([60_000]);
});

test("abort ends a wait at once, with the signal's reason", async () => {
  const controller = new AbortController();
  const attempts: number[] = [];
  const iterator = withRetry(
    // oxlint-disable-next-line require-yield
    async function* () {
      attempts.push(1);
      throw new Error("x");
    },
    () => failure({ retryAfterMs: 50_000 }),
    controller.signal,
  );
  expect((await iterator.next()).value).toMatchObject({ type: "retry" });
  const next = iterator.next();
  controller.abort(new Error("stop"));
  await expect(next).rejects.toThrow("stop");
  expect(attempts).toHaveLength(1);
});

test("an aborted signal means no attempt at all", async () => {
  const { events, thrown } = await run(failing(0), () => failure(), {}, AbortSignal.abort(new Error("stop")));
  expect(events).toEqual([]);
  expect(thrown).toMatchObject({ message: "stop" });
});

test("retry-after comes in milliseconds, seconds or as a date", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const read = (headers: Record<string, string>): number | undefined =>
    retryAfterMs(new Headers(headers), now);
  expect(read({ "retry-after-ms": "250", "retry-after": "9" })).toBe(250);
  expect(read({ "retry-after": "1.5" })).toBe(1500);
  expect(read({ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" })).toBe(7000);
  expect(read({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" })).toBe(0);
  expect(read({ "retry-after": "soon" })).toBeUndefined();
  expect(read({})).toBeUndefined();
  expect(retryAfterMs(undefined, now)).toBeUndefined();
});
