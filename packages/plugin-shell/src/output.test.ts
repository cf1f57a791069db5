import { readFileSync, writeFileSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { MAX_SHOWN, Output } from "./output.ts";

/** Collects chunks; gives what is shown, and what was kept. */
async function collect(
  chunks: readonly (string | Uint8Array)[],
  maxBytes = 1 << 20,
): Promise<{ text: string; kept: string }> {
  using workspace = tempWorkspace();
  const absolute = workspace.path("kept");
  const ctx = {
    spill: async (name: string, bytes: Uint8Array | string) => {
      writeFileSync(absolute, bytes);
      return `session:${name}`;
    },
    resolve: () => ({ absolute, real: absolute, display: "", inside: true }),
  };
  const output = new Output({ ctx, name: "out.txt", maxBytes });
  for (const chunk of chunks)
    await output.write(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
  const { text, file } = await output.end();
  return { text, kept: file === undefined ? "" : readFileSync(absolute, "utf8") };
}

test("what fits is shown whole and kept nowhere", async () => {
  expect(await collect(["a\n", "b\n"])).toEqual({ text: "a\nb", kept: "" });
  expect(await collect([])).toEqual({ text: "", kept: "" });
  const full = "x".repeat(MAX_SHOWN);
  expect(await collect([full])).toEqual({ text: full, kept: "" });
});

test.each([
  [[`${"x".repeat(MAX_SHOWN)}y`]],
  [["x".repeat(MAX_SHOWN), "y"]],
  [["x", "x".repeat(MAX_SHOWN - 1), "y"]],
])("one character too many is cut, and the whole is kept", async (chunks) => {
  const { text, kept } = await collect(chunks);
  expect(kept).toBe(chunks.join(""));
  expect(text.length).toBeLessThanOrEqual(MAX_SHOWN);
  expect(text).toMatch(
    /^x{4000}\n\[… \d+ of 10001 characters left out, 0 lines in all; the whole is session:out\.txt,.*\]\nx+y$/,
  );
});

test("head, tail and what is left out add up, whatever the chunks", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join("");
  for (const size of [7, 1000, 9999, 10_001, 60_000]) {
    const chunks = lines.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    const { text, kept } = await collect(chunks);
    expect(kept).toBe(lines);
    const [, head = "", left, tail = ""] = /^([^]*)\[… (\d+) of .*…\]\n([^]*)$/.exec(text) ?? [];
    expect(lines.startsWith(head) && lines.endsWith(`${tail}\n`)).toBe(true);
    expect(head.length + Number(left) + tail.length).toBe(lines.length);
    expect(head.endsWith("\n") && tail.startsWith("line ")).toBe(true);
  }
});

test("no character is cut in half", async () => {
  const { text } = await collect(["😀".repeat(20_000)]);
  expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
});

test("bytes that are no UTF-8 become a mark", async () => {
  expect(await collect([new Uint8Array([0x61, 0xff, 0x62])])).toEqual({ text: "a\ufffdb", kept: "" });
});

test("the cap is kept to the byte", async () => {
  const { text, kept } = await collect(["a".repeat(9000), "b".repeat(9000), "c".repeat(9000)], 15_000);
  expect(kept).toBe("a".repeat(9000) + "b".repeat(6000));
  expect(text).toContain("the first 15000 bytes are session:out.txt");
  expect(text).toMatch(/c$/);
});
