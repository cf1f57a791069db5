import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { hasProgram, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { countLines, type Source } from "./line-count.ts";

const source = (text: string): Source => {
  const bytes = Buffer.from(text);
  return { size: bytes.length, read: (start, length) => bytes.subarray(start, start + length) };
};
const count = (before: string, after: string): string => {
  const { additions, deletions } = countLines(source(before), source(after));
  return `+${additions} -${deletions}`;
};

describe("countLines", () => {
  it.each([
    ["", "", "+0 -0"],
    ["a\n", "a\n", "+0 -0"],
    ["", "a\nb", "+2 -0"],
    ["a\nb\n", "", "+0 -2"],
    ["a\nb\nc\n", "a\nx\nc\n", "+1 -1"],
    ["a\nb\nc\n", "a\nc\n", "+0 -1"],
    ["a\nb\n", "b\na\n", "+1 -1"],
    ["a\n", "a", "+1 -1"],
    ["a\nb", "a\nb\n", "+1 -1"],
    ["x\nx\nx\n", "x\nx\n", "+0 -1"],
    ["a\r\nb\n", "a\nb\n", "+1 -1"],
  ])("%j to %j: %s", (before, after, expected) => {
    expect(count(before, after)).toBe(expected);
  });

  it("sees over the borders of its chunks", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`);
    const changed = lines.with(10_000, "other\n");
    expect(count(lines.join(""), changed.join(""))).toBe("+1 -1");
    expect(count(lines.join(""), lines.toSpliced(19_999, 1).join(""))).toBe("+0 -1");
    expect(count(lines.join(""), ["first\n", ...lines].join(""))).toBe("+1 -0");
  });

  it.skipIf(!hasProgram("git"))("agrees with git's minimal diff", () => {
    using folder = tempWorkspace();
    const line = fc.constantFrom("a\n", "b\n", "c\n");
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "end"))
      .map(([all, end]) => all.join("") + end);
    fc.assert(
      fc.property(text, text, (before, after) => {
        folder.write("a", before);
        folder.write("b", after);
        let out = "";
        try {
          out = execFileSync("git", ["diff", "--no-index", "--minimal", "--numstat", "a", "b"], {
            cwd: folder.root,
          }).toString();
        } catch (error) {
          out = String((error as { stdout: Buffer }).stdout);
        }
        const [additions = "0", deletions = "0"] = out === "" ? [] : out.split("\t");
        expect(count(before, after)).toBe(`+${additions} -${deletions}`);
      }),
      { seed: 5, numRuns: 60 },
    );
  });
});
