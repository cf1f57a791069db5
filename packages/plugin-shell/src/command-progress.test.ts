import { tempWorkspace, toolBench } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CommandProgress } from "./command-progress.ts";
import { createRunCommand } from "./run-command.ts";

describe("what is told", () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
      }),
  );
  afterEach(() => void vi.useRealTimers());

  function start(): { told: string[]; progress: CommandProgress } {
    const told: string[] = [];
    return {
      told,
      progress: new CommandProgress((line) => told.push(line), { everyMs: 500, quietMs: 10_000 }),
    };
  }

  test("the first line at once, then the newest line after a while", () => {
    const { told, progress } = start();
    progress.output("one");
    expect(told).toEqual(["one"]);
    for (const line of ["two", "three", "three", ""]) progress.output(line);
    vi.advanceTimersByTime(499);
    expect(told).toEqual(["one"]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(["one", "three"]);
    progress.end();
  });

  test("a line about every ten seconds of silence, with how long it has been running", () => {
    const { told, progress } = start();
    vi.advanceTimersByTime(20_000);
    expect(told).toEqual(["running for 10 s, without output", "running for 20 s, without output"]);
    vi.advanceTimersByTime(5000);
    progress.output("line");
    vi.advanceTimersByTime(9999);
    expect(told.slice(2)).toEqual(["line"]);
    vi.advanceTimersByTime(10_001);
    expect(told.slice(3)).toEqual([
      "running for 35 s, the last 10 s without output",
      "running for 45 s, the last 20 s without output",
    ]);
    progress.end();
  });

  test("nothing after the end", () => {
    const { told, progress } = start();
    progress.output("one");
    progress.output("two");
    progress.end();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual(["one"]);
  });
});

describe("a run", () => {
  test.each([
    ["shows its output while it runs", "echo line; until [ -e go ]; do sleep 0.01; done", 60_000, /^line$/],
    [
      "tells that it still runs",
      "until [ -e go ]; do sleep 0.01; done",
      20,
      /^running for 0 s, without output$/,
    ],
  ])("%s", async (_, command, quietMs, message) => {
    using workspace = tempWorkspace();
    const tool = createRunCommand({ timeoutSeconds: 60, maxOutputBytes: 1000, quietMs });
    const bench = toolBench([tool], { root: workspace.root });
    const told = () => bench.events.flatMap((event) => (event.type === "progress" ? [event.message] : []));
    const pending = bench.call("run_command", { command });
    await expect.poll(() => told()[0], { timeout: 15_000 }).toMatch(message);
    workspace.write("go", "");
    expect(await pending).toMatchObject({ ok: true });
  });
});
