import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { liveLine } from "./live-line.ts";
import { textRenderer } from "./text.ts";

function stream(isTTY: boolean): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const writable = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      written.push(text);
      done();
    },
  });
  return {
    stream: Object.assign(writable, { isTTY, columns: 24 }) as unknown as NodeJS.WriteStream,
    written,
  };
}

describe("liveLine", () => {
  it("is written over on a terminal, and fits in it", () => {
    const { stream: terminal, written } = stream(true);
    const line = liveLine(terminal);
    line.clear();
    line.show("o\tn\u001b\ne");
    line.show("x".repeat(100));
    line.show("漢".repeat(100));
    line.clear();
    line.clear();
    const start = "\r\u001b[2K";
    expect(written).toEqual([
      `${start}o n e`,
      `${start}${"x".repeat(23)}`,
      `${start}${"漢".repeat(11)}`,
      start,
    ]);
  });

  it("is a plain line elsewhere, when nothing was written for ten seconds", () => {
    const { stream: file, written } = stream(false);
    let now = 0;
    const line = liveLine(file, () => now);
    for (const [at, text] of [
      [9999, "a"],
      [10_000, "b"],
      [15_000, "c"],
      [20_000, "d"],
    ] as const) {
      now = at;
      line.show(text);
    }
    now = 29_000;
    line.clear();
    now = 38_000;
    line.show("e");
    expect(written).toEqual(["b\n", "d\n"]);
  });
});

describe("the text renderer", () => {
  it("shows what a tool is at, and takes it away before the next line", () => {
    const { stream: stderr, written } = stream(true);
    const renderer = textRenderer(stream(false).stream, stderr);
    const stamp = { v: 1, at: "" } as const;
    renderer.event({ ...stamp, type: "tool_progress", callId: "c", tool: "run_command", message: "50 %" });
    renderer.event({ ...stamp, type: "notice", code: "x", message: "next" });
    expect(written.join("")).toMatch(/^\r\u001b\[2K {2}… run_command 50 %\r\u001b\[2K/);
    expect(written.at(-1)).toContain("next");
  });
});
