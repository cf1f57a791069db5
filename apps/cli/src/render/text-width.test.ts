import { expect, it } from "vitest";
import { fitLine, widthOf, wrapLines } from "./text-width.ts";

it.each([
  ["abc", 3],
  ["漢字", 4],
  ["ｶﾅ", 2],
  ["e\u0301", 1],
  ["👍🏽", 2],
  ["👩‍👩‍👧‍👦", 2],
  ["🇨🇳", 2],
  ["\u001b[31mred\u001b[39m", 3],
])("%j takes %i columns", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

it.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["漢字漢字", 6, "漢字…"],
  ["x👩‍👩‍👧‍👦y👍🏽", 4, "x👩‍👩‍👧‍👦…"],
  ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
])("%j in %i columns", (text, columns, fitted) => {
  expect(fitLine(text, columns)).toBe(fitted);
});

it("wraps at words, breaks what is longer than a line, and indents each", () => {
  expect(wrapLines("one two three", 9, "  ")).toBe("  one two\n  three");
  expect(wrapLines("漢".repeat(6), 8)).toBe(`${"漢".repeat(4)}\n${"漢".repeat(2)}`);
  expect(wrapLines("a\tb\n\nc", 20)).toBe("a    b\n\nc");
});
