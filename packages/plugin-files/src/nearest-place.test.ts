import { expect, test } from "vitest";
import { nearestPlace } from "./nearest-place.ts";

test.each([
  ["tabs for spaces", "if (x) {\n\tfoo(1);\n}\n", "    foo(1);", /line 2; it differs in indentation/],
  ["trailing space", "a\nfoo(1); \nb\n", "foo(1);\nb", /line 2; it differs in trailing white space/],
  ["inner space", "a\nfoo( 1 );\n", "foo(1);", /line 2; it differs in white space/],
  [
    "quotes",
    "say “hi”\n",
    'say "hi"',
    /line 1; it differs in quotes[^]*the file has “ U\+201C, old_string " U\+0022/,
  ],
  ["dash", "a – b\n", "a - b", /it differs in dashes[^]*– U\+2013/],
  ["decomposed", "cafe\u0301\n", "caf\u00E9", /it differs in Unicode form/],
  ["no-break space", "a\u00A0b\n", "a b", /it differs in kind of space[^]*U\+00A0/],
  ["case", "Hello World\n", "hello world", /it differs in upper and lower case/],
  ["line ends", "a\nb\n", "a\r\nb", /line 1; it differs in line ends/],
  ["two things", "\tsay “hi”\n", '  say "hi"', /it differs in quotes, indentation/],
  ["line numbers", "one\ntwo\n", "1: one\n2: two", /it is there without the line numbers/],
  [
    "one line of several",
    "a\nfoo(1)\nbar(2)\nbaz(3)\n",
    "foo(1)\nbar(9)\nbaz(3)",
    /line 2\nfile, line 3: "bar\(2\)\\n"\nold_string: *"bar\(9\)/,
  ],
  ["a like line", "const total = sum(items);\nx\n", "const totals = sum(item);", /line 1\nfile, line 1/],
])("%s", (_, text, wanted, expected) => {
  expect(nearestPlace(text, wanted)).toMatch(expected);
});

test("nothing near", () => {
  expect(nearestPlace("abc\ndef\n", "zzzzzzzz qqqqqqq")).toBeUndefined();
  expect(nearestPlace("", "x")).toBeUndefined();
});
