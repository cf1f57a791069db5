import { describe, expect, it } from "vitest";
import { fakeTerminal } from "../test-support/fake-terminal.ts";
import { liveLines } from "./live-lines.ts";

describe("liveLines", () => {
  it("are written over on a terminal, and fit in it", () => {
    const { stream, written } = fakeTerminal({ columns: 24 });
    const live = liveLines(stream);
    live.clear();
    live.show(["one"]);
    live.show(["one"]);
    live.show(["x".repeat(100), "漢".repeat(100)]);
    live.show(["👩‍👩‍👧‍👦".repeat(20)]);
    live.clear();
    live.clear();
    expect(written).toEqual([
      "one",
      `\r\u001b[J${"x".repeat(22)}…\n${"漢".repeat(11)}…`,
      `\u001b[1A\r\u001b[J${"👩‍👩‍👧‍👦".repeat(11)}…`,
      "\r\u001b[J",
    ]);
  });

  it("never fill the screen", () => {
    const { stream, written } = fakeTerminal({ rows: 3 });
    liveLines(stream).show(["a", "b", "c", "d"]);
    expect(written).toEqual(["c\nd"]);
  });

  it("are wiped whole after the terminal got narrower", () => {
    const { stream, written } = fakeTerminal({ columns: 60 });
    const live = liveLines(stream);
    live.show(["x".repeat(50), "y".repeat(10)]);
    stream.columns = 25;
    live.clear();
    expect(written.at(-1)).toBe("\u001b[2A\r\u001b[J");
  });

  it("are plain lines elsewhere, when nothing was written for ten seconds", () => {
    const { stream, written } = fakeTerminal({ isTTY: false });
    let now = 0;
    const live = liveLines(stream, () => now);
    for (const [at, text] of [
      [9999, "a"],
      [10_000, "b"],
      [15_000, "c"],
      [20_000, "d"],
    ] as const) {
      now = at;
      live.show([text]);
    }
    now = 29_000;
    live.clear();
    now = 38_000;
    live.show(["e"]);
    expect(written).toEqual(["b\n", "d\n"]);
  });
});
