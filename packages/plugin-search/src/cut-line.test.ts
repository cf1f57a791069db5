import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { cutLine } from "./cut-line.ts";

test("a short line is whole, without its CR", () => {
  expect(cutLine(Buffer.from("foo bar\r"), 5)).toBe("foo bar");
});

test("a long one is cut around the match", () => {
  const line = `${"x".repeat(5000)}MATCH${"y".repeat(5000)}`;
  const cut = cutLine(Buffer.from(line), 5001);
  expect(cut).toMatch(/^…x+MATCHy+…$/);
  expect(cut.length).toBe(402);
  expect(cutLine(Buffer.from(line), 1)).toMatch(/^x+…$/);
  expect(cutLine(Buffer.from(line), 10_004)).toMatch(/^…y+$/);
});

test("no character is torn at either side", () => {
  for (let pad = 0; pad < 8; pad++) {
    const line = Buffer.from(`${"a".repeat(pad)}${"😀é漢".repeat(400)}`);
    for (const column of [1, 1000, 1001, 1002, 1003, 1004, 2000]) {
      expect(cutLine(line, column)).not.toContain("\uFFFD");
    }
  }
});
