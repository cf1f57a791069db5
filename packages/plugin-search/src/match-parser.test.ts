import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { MatchCollector } from "./match-collector.ts";
import { MatchParser } from "./match-parser.ts";

function parse(
  output: string | Buffer,
  size: number,
  { columns = false, ...options }: { limit?: number; context?: number; columns?: boolean } = {},
) {
  const collector = new MatchCollector({ limit: 100, context: 0, accepts: () => true, ...options });
  const parser = new MatchParser(collector, { columns });
  const bytes = Buffer.from(output as string);
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  parser.end();
  return collector.finish();
}

const output = [
  "./b.ts\x007:x foo\n",
  "./b.ts\x008-after\n",
  "./new\nline\x001:foo:12:bar\n",
  "./bin\x001:foo\n",
  './bin: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n',
  "./a-1-x\x003-before\n",
  "./a-1-x\x004:foo\n",
  './a-2\x001:foo\n./a-2: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n',
].join("");

test.each([1, 2, 7, 64, 1000])("output in pieces of %d bytes", (size) => {
  expect(parse(output, size, { context: 1 })).toEqual({
    matches: 3,
    fileCount: 3,
    files: [
      {
        path: "a-1-x",
        matches: 1,
        lines: [
          { number: 3, isMatch: false, text: "before", long: false },
          { number: 4, isMatch: true, text: "foo", long: false },
        ],
      },
      {
        path: "b.ts",
        matches: 1,
        lines: [
          { number: 7, isMatch: true, text: "x foo", long: false },
          { number: 8, isMatch: false, text: "after", long: false },
        ],
      },
      {
        path: "new\nline",
        matches: 1,
        lines: [{ number: 1, isMatch: true, text: "foo:12:bar", long: false }],
      },
    ],
  });
});

test("a line of many chunks is cut around its match", () => {
  const long = `./a\x001:3000001:${"x".repeat(3_000_000)}foo${"y".repeat(1_000_000)}\n./b\x002:1:next\n`;
  for (const size of [64 * 1024, 1_000_003]) {
    const { files, matches } = parse(long, size, { columns: true });
    expect(matches).toBe(2);
    expect(files[0]?.lines[0]?.text).toMatch(/^…x{120}foo(?:y+)…$/);
    expect(files[1]?.lines[0]?.text).toBe("next");
  }
});

test("everything is counted, and only what can be shown is kept", () => {
  const lines: string[] = [];
  for (let file = 9999; file >= 0; file--) {
    for (let line = 1; line <= 3; line++) lines.push(`./f${String(file).padStart(5, "0")}\x00${line}:foo\n`);
  }
  const collector = new MatchCollector({ limit: 5, context: 0, accepts: (path) => path !== "f00000" });
  const parser = new MatchParser(collector);
  parser.push(Buffer.from(lines.join("")));
  parser.end();
  const { files, matches, fileCount } = collector.finish();
  expect([matches, fileCount]).toEqual([29_997, 9999]);
  expect(files.map(({ path, lines: kept }) => [path, kept.length])).toEqual([
    ["f00001", 3],
    ["f00002", 2],
  ]);
});
