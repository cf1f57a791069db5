import { expect, it } from "vitest";
import { plainLine, plainText, plainValue } from "./plain-text.ts";

it.each([
  ["a colour", "\u001b[31mred\u001b[0m", "red"],
  ["a window title", "\u001b]0;owned\u0007x", "x"],
  ["a hyperlink", "\u001b]8;;http://evil/\u001b\\click\u001b]8;;\u001b\\", "click"],
  ["a sequence within a sequence", "\u001b\u001b[0m[2Jx", "\u241b[2Jx"],
  ["a reset, and a lone escape", "\u001bcx\u001b!", "x\u241b!"],
  ["C1 controls", "\u009b31m\u0085\u0090", "\ufffd\ufffd"],
  ["a bell, a backspace, a return", "a\u0007b\u0008c\rd\u007f", "a\u2407b\u2408c\u240dd\u2421"],
  ["line ends and tabs, which stay", "a\r\nb\tc\n", "a\nb\tc\n"],
  ["what reorders a line", "a\u202eb\u2066", "a<U+202e>b<U+2066>"],
  ["letters of all kinds, which stay", "héllo 漢字 👩‍👩‍👧 e\u0301 \u200e", "héllo 漢字 👩‍👩‍👧 e\u0301 \u200e"],
])("%s", (_, given, expected) => {
  expect(plainText(given)).toBe(expected);
});

it("no text keeps a control character, whatever surrounds it", () => {
  const pieces = ["\u001b", "[", "]", "0;", "m", "\u0007", "\u009b", "\r", "x", "\u001b[", "\\"];
  for (let seed = 0; seed < 20_000; seed++) {
    let state = seed + 1;
    let text = "";
    for (let at = 0; at < 8; at++) {
      state = (state * 48_271) % 2_147_483_647;
      text += pieces[state % pieces.length];
    }
    expect(plainText(text)).not.toMatch(/[^\P{Cc}\n\t]/u);
  }
});

it("holds for every string in a value, and makes one line where one is wanted", () => {
  expect(plainValue({ a: ["\u001b[1mx", 1, null], b: { c: "y\u0007" } })).toEqual({
    a: ["x", 1, null],
    b: { c: "y\u2407" },
  });
  expect(plainLine(" a\r\n\tb \u001b[2J")).toBe("a b");
});
