import { expect, test } from "vitest";
import { LineReader } from "./line-reader.ts";

function read(chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const reader = new LineReader((line) => lines.push(line));
  for (const chunk of chunks) expect(reader.push(Buffer.from(chunk, "latin1"))).toBe(true);
  return lines;
}

test("lines are put together however they come, empty ones left out", () => {
  expect(read(["a", "b\nc\r\n\n", "", "d", "e\n", "rest"])).toEqual(["ab", "c", "de"]);
  // A character of two bytes, split between them.
  expect(read(["\xc3", "\xa4\n"])).toEqual(["ä"]);
});

test("a line without an end is given up at its limit", () => {
  const reader = new LineReader(() => {});
  const block = Buffer.alloc(16 * 1024 * 1024);
  block.fill("x");
  const taken = Array.from({ length: 9 }, () => reader.push(block));
  expect(taken).toEqual([...Array.from({ length: 8 }, () => true), false]);
});
