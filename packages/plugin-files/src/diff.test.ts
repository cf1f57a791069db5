import { applyPatch } from "diff";
import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "./diff.ts";
import { changedRegion } from "./regions.ts";

const diff = (before: string, after: string, path = "f"): Promise<string> =>
  unifiedDiff({ path, before, after, regions: changedRegion(before, after) });

describe("unifiedDiff", () => {
  test("three lines of context, and numbers", async () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(await diff(before, before.replace("5", "five"))).toBe(
      "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
    );
  });

  test("changes far apart are two hunks, near ones are one", async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const before = `${lines.join("\n")}\n`;
    const far = before.replace("line 3\n", "x\n").replace("line 30\n", "y\n");
    expect((await diff(before, far)).match(/^@@.*$/gm)).toEqual(["@@ -1,7 +1,7 @@", "@@ -28,7 +28,7 @@"]);
    const near = before.replace("line 3\n", "x\n").replace("line 9\n", "y\n");
    expect((await diff(before, near)).match(/^@@.*$/gm)).toEqual(["@@ -1,13 +1,13 @@"]);
  });

  test("missing final newlines", async () => {
    expect(await diff("a", "a\n")).toBe(
      "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a",
    );
  });

  test("a new file shows its first lines only", async () => {
    const after = Array.from({ length: 50 }, (_, index) => `${index}\n`).join("");
    const text = await unifiedDiff({ path: "n", before: null, after, regions: changedRegion("", after) });
    expect(text).toMatch(/^--- \/dev\/null\n\+\+\+ b\/n\n@@ -0,0 \+1,50 @@\n\+0\n/);
    expect(text).toMatch(/\+9\n\[40 changed lines not shown\]$/);
  });

  test("a long line is cut around what changed", async () => {
    const before = `${"x".repeat(1_000_000)}A${"y".repeat(1_000_000)}\n`;
    const text = await diff(before, before.replace("A", "B"));
    expect(text.length).toBeLessThan(1500);
    expect(text).toMatch(/^-…x+Ay+…$/m);
    expect(text).toMatch(/^\+…x+By+…$/m);
  });

  test("what it shows can be applied", async () => {
    const text = array(constantFrom("a\n", "b\n", "c\n", "\n", "d"), { maxLength: 30 }).map((all) =>
      all.join(""),
    );
    const cases: [string, string][] = [];
    assert(
      property(text, text, (before, after) => void cases.push([before, after])),
      { numRuns: 500, seed: 3 },
    );
    for (const [before, after] of cases) {
      if (before === after) continue;
      expect(applyPatch(before, `${await diff(before, after)}\n`)).toBe(after);
    }
  });
});
