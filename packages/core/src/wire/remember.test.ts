import { expect, test, vi } from "vitest";
import { keepLast, onceMade, oncePer } from "./remember.ts";

test("the last answer is kept for the same items in the same order", () => {
  const [a, b] = [{}, {}];
  const make = vi.fn((items: readonly object[]) => ({ count: items.length }));
  const kept = keepLast(make);
  const items = [a, b];
  const first = kept(items);
  expect(kept([a, b])).toBe(first);
  items.push(a);
  expect(kept(items)).toEqual({ count: 3 });
  expect(kept([a, b])).toEqual({ count: 2 });
  expect(kept([b, a])).toEqual({ count: 2 });
  expect(make).toHaveBeenCalledTimes(4);
});

test("what is made for a key is made once, undefined too", () => {
  const make = vi.fn(() => undefined);
  const once = oncePer(make);
  const key = {};
  expect([once(key), once(key), once({})]).toEqual([undefined, undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(2);
});

test("what could not be made is tried again; what was made is kept, for those who ask meanwhile too", async () => {
  const make = vi.fn<() => Promise<object>>();
  make.mockRejectedValueOnce(new Error("not yet")).mockImplementation(() => Promise.resolve({}));
  const made = onceMade(make);
  await expect(made()).rejects.toThrow("not yet");
  const [first, second] = await Promise.all([made(), made()]);
  expect(second).toBe(first);
  expect(await made()).toBe(first);
  expect(make).toHaveBeenCalledTimes(2);
});
