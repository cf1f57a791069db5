import { describe, expect, test } from "vitest";
import { findMatches, splice } from "./splice.ts";

const replace = (text: string, wanted: string, inserted: string): string =>
  splice(text, findMatches(text, wanted, false), wanted, inserted).text;

describe("findMatches", () => {
  test("an LF stands for a whole line end of any kind", () => {
    expect(findMatches("a\r\nb a\nb a\rb", "a\nb", true)).toEqual([
      { start: 0, end: 4 },
      { start: 5, end: 8 },
      { start: 9, end: 12 },
    ]);
    expect(findMatches("\r\n\r\n", "\n", true)).toEqual([
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ]);
    expect(findMatches("x\r\ny", "\n\n", true)).toEqual([]);
  });

  test("a CR in old_string is taken literally", () => {
    expect(findMatches("a\nb\r\n", "a\r\nb", true)).toEqual([]);
    expect(findMatches("a\r\nb\r\n", "a\r\nb", true)).toEqual([{ start: 0, end: 4 }]);
  });

  test("overlapping places count for uniqueness, not for replacing", () => {
    expect(findMatches("aaa", "aa", true)).toHaveLength(2);
    expect(findMatches("aaaa", "aa", false)).toEqual([
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ]);
    expect(findMatches("\r\n\n\r\n", "\n\n", true)).toHaveLength(2);
    expect(findMatches("\r\n\n\r\n", "\n\n", false)).toHaveLength(1);
  });
});

describe("splice", () => {
  test("the new text takes the line ends of what it replaces", () => {
    expect(replace("1\r\n2\r\n3\n", "1\n2", "a\nb\nc")).toBe("a\r\nb\r\nc\r\n3\n");
    expect(replace("1\r2\r", "1\n2\n", "a\nb\n")).toBe("a\rb\r");
  });

  test("kept lines keep their ends where they are mixed", () => {
    expect(replace("1\n2\r\n3\r4", "1\n2\n3\n4", "1\nnew\n2\n3\n4")).toBe("1\nnew\n2\r\n3\r4");
    expect(replace("1\n2\r\n3", "1\n2\n3", "1\n3")).toBe("1\n3");
  });

  test("a lone CR and an LF never melt into one line end", () => {
    expect(replace("1\r2\n3", "1\n2\n3", "a\n\nb")).toBe("a\r\rb");
  });

  test("inside one line it takes the end of that line, else of the line before", () => {
    expect(replace("x\ny z\r\n", "y", "y\n")).toBe("x\ny\r\n z\r\n");
    expect(replace("x\r\ny", "y", "y\nz")).toBe("x\r\ny\r\nz");
    expect(replace("y", "y", "y\nz")).toBe("y\nz");
  });

  test("a CR in new_string stays, and old_string with CR changes no ends", () => {
    expect(replace("a\nb\r\n", "a", "a\r\nc")).toBe("a\r\nc\nb\r\n");
    expect(replace("a\r\nb\r\n", "a\r\nb", "a\nb")).toBe("a\nb\r\n");
  });

  test("dollar signs and backslashes are plain text", () => {
    expect(replace("x", "x", "$& $$ $1 $` \\n")).toBe("$& $$ $1 $` \\n");
  });
});
