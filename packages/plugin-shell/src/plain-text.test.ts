import { expect, test } from "vitest";
import { PlainText } from "./plain-text.ts";

/** The same, however the text is cut into pieces. */
function plain(text: string): string {
  const whole = new PlainText();
  const result = whole.push(text) + whole.end();
  for (let at = 1; at < Math.min(text.length, 200); at++) {
    const cut = new PlainText();
    expect(cut.push(text.slice(0, at)) + cut.push(text.slice(at)) + cut.end(), `cut at ${at}`).toBe(result);
  }
  const single = new PlainText();
  expect([...text].map((character) => single.push(character)).join("") + single.end()).toBe(result);
  return result;
}

test.each([
  ["plain\ntext\t日本\n", "plain\ntext\t日本\n"],
  ["", ""],
  ["a\r\nb\r\n", "a\nb\n"],
  ["\u001b[31mred\u001b[0m and \u001b[1;38;5;200mpink\u001b[m", "red and pink"],
  ["\u001b]0;title\u0007text\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "textlink"],
  ["\u001b(Ba\u001b=b\u001b7c\u001bMd", "abcd"],
  ["\u001b[2K\u001b[1Gdone\u001b[?25h\n", "done\n"],
  ["10%\r20%\r100%\nnext", "100%\nnext"],
  ["10%\r20%\r", "20%"],
  ["10%\r\r\n", "10%\n"],
  ["\u001b[32m10%\u001b[0m\r\u001b[32m99%\u001b[0m", "99%"],
  ["ab\bc", "ac"],
  ["\b\bx", "x"],
  ["a\ba\bab", "ab"],
  ["bell\u0007 null\0 del\u007f c1\u0085", "bell null del c1"],
  ["ends in \u001b", "ends in "],
  ["ends in \u001b[3", "ends in "],
])("%j is %j", (text, expected) => {
  expect(plain(text)).toBe(expected);
});

test("a line that never ends is passed on without being held", () => {
  const text = new PlainText();
  const part = `\u001b[1m${"x".repeat(50_000)}`;
  let length = 0;
  for (let at = 0; at < 100; at++) length += text.push(part).length;
  expect(length).toBeGreaterThan(99 * 50_000 - 200_000);
  expect(length + text.end().length).toBe(100 * 50_000);
});

test("a million states of one line take no time", () => {
  const text = new PlainText();
  for (let at = 0; at < 1000; at++) expect(text.push(`\r${at}%\r`.repeat(1000))).toBe("");
  expect(text.end()).toBe("999%");
  expect(text.push(`${"\b".repeat(100_000)}${"a\b".repeat(100_000)}b\n`)).toBe("b\n");
});
