import { readdirSync } from "node:fs";
import type { RunResult } from "@toycoder/agent";
import { openSandbox } from "@toycoder/plugin-shell";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { processesWith } from "../test-support/processes.ts";
import { startToycoder } from "../test-support/run-toycoder.ts";

const hasSandbox = "program" in (await openSandbox("auto", false)).found;

const ARGS = ["run", "x", "--model", "replay:c.jsonl", "--allow", "run_command", "--output", "stream-json"];

const COMMANDS = [
  ["a sleeper in the background", "sleep MARKER & sleep MARKER"],
  ["a session of its own", "setsid sleep MARKER & sleep MARKER"],
  ["a daemon that forked twice", "(setsid sh -c 'sleep MARKER & sleep MARKER' &); sleep MARKER"],
  ["a child that ignores TERM", "(trap '' TERM; sleep MARKER; sleep MARKER) & wait"],
  ["a reader of what never comes", "mkfifo p; tail -n 1 MARKER p"],
  ["endless output", "yes MARKER"],
  ["200 children", "for i in {1..200}; do sleep MARKER & done; wait"],
] as const;

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

async function folderFor(command: string, sandbox: string): Promise<TempWorkspace> {
  const calls = [{ name: "run_command", arguments: { command, timeout: 60 } }];
  return tempWorkspace({
    "c.jsonl": await cassette([{ calls }, { text: "never" }], ALL_TOOLS),
    "toycoder.config.json": JSON.stringify({
      plugins: ["files", "search", ["shell", { sandbox }], "question"],
    }),
  });
}

describe.each(hasSandbox ? ["off", "required"] : ["off"])("sandbox %s", (sandbox) => {
  describe.each(SIGNALS)("%s to toycoder ends with %i and leaves no process", (signal, code) => {
    it.each(COMMANDS)("during %s", async (_, template) => {
      const marker = `9${process.hrtime.bigint()}`;
      using folder = await folderFor(template.replaceAll("MARKER", marker), sandbox);
      const { child, done } = startToycoder(ARGS, { cwd: folder.root });
      await expect.poll(() => processesWith(marker).length, { timeout: 30_000 }).toBeGreaterThan(0);
      child.kill(signal);
      const ended = await done;
      expect([ended.code, ended.signal]).toEqual([code, null]);
      const last = JSON.parse(ended.stdout.trim().split("\n").at(-1)!) as { type: string; result: RunResult };
      expect(last).toMatchObject({ type: "result", result: { status: "cancelled", exitCode: code } });
      expect(processesWith(marker)).toEqual([]);
      // The command may have been stopped before it made its pipe.
      const left = readdirSync(folder.root).filter((name) => name !== "p");
      expect(left.toSorted()).toEqual([".state", "c.jsonl", "toycoder.config.json"]);
    });
  });
});

describe.skipIf(!hasSandbox)("SIGKILL to toycoder", () => {
  it("leaves no process in the sandbox, and the next call clears up what was left in the folder", async () => {
    const marker = `9${process.hrtime.bigint()}`;
    using folder = await folderFor(`setsid sleep ${marker} & sleep ${marker}`, "required");
    const before = readdirSync(folder.root);
    const { child, done } = startToycoder(ARGS, { cwd: folder.root });
    await expect.poll(() => processesWith(marker).length, { timeout: 30_000 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await done;
    await expect.poll(() => processesWith(marker), { timeout: 30_000 }).toEqual([]);
    expect(readdirSync(folder.root)).toContain(".toycoderrc");
    const call = ["tools", "call", "run_command", '{"command":"true"}', "--allow", "run_command"];
    expect((await startToycoder(call, { cwd: folder.root }).done).code).toBe(0);
    expect(readdirSync(folder.root).toSorted()).toEqual([...before, ".state"].toSorted());
  });
});
