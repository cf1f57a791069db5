import { execFileSync } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import { textOf } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace, toolBench } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRunCommand } from "./run-command.ts";
import { openSandbox, type SandboxMode } from "./sandbox/sandbox.ts";
import { hasSandbox } from "./test-support/has-sandbox.ts";
import { processesWith } from "./test-support/processes-with.ts";

let workspace: TempWorkspace;
beforeEach(() => void (workspace = tempWorkspace()));
afterEach(() => workspace.dispose());

const GIGABYTE = 1 << 30;

const MODES: readonly SandboxMode[] = hasSandbox ? ["off", "required"] : ["off"];

describe.each(MODES)("sandbox %s: at the limit, a command is gone within two seconds", (mode) => {
  test.each([
    ["a sleeper", "sleep MARKER"],
    ["a sleeper in the background", "sleep MARKER & sleep MARKER"],
    ["a session of its own", "setsid sleep MARKER & sleep MARKER"],
    ["a daemon that forked twice", "(setsid sh -c 'sleep MARKER & sleep MARKER' &); sleep MARKER"],
    ["one that ignores TERM", "trap '' TERM; sleep MARKER; sleep MARKER"],
    ["a child that ignores TERM", "(trap '' TERM; sleep MARKER; sleep MARKER) & wait"],
    ["200 children", "for i in {1..200}; do sleep MARKER & done; wait"],
    [
      "200 children that ignore TERM",
      "trap '' TERM; for i in {1..200}; do sleep MARKER & done; sleep MARKER",
    ],
    [
      "a fork that goes on",
      "for i in {1..200}; do (sleep 0.02; sleep MARKER) & sleep 0.005; done; sleep MARKER",
    ],
    ["endless output", "yes MARKER"],
  ])("%s", async (_, command) => {
    const marker = `9${process.hrtime.bigint()}`;
    const sandbox = await openSandbox(mode, false);
    const tool = createRunCommand({ timeoutSeconds: 1, maxOutputBytes: 1 << 20, sandbox });
    const bench = toolBench([tool], { root: workspace.root });
    const started = performance.now();
    const result = await bench.call("run_command", { command: command.replaceAll("MARKER", marker) });
    const beyond = performance.now() - started - 1000;
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(processesWith(marker)).toEqual([]);
    // Two seconds on a machine that is free; CI machines are not.
    expect(beyond).toBeLessThan(4000);
    bench.session.dispose();
  });
});

/** Runs a command that writes a gigabyte; gives what the model gets, and the most memory that it took, in bytes. */
async function gigabyte(maxOutputBytes: number, use: (text: string, file: string) => Promise<void>) {
  const tool = createRunCommand({ timeoutSeconds: 500, maxOutputBytes });
  const bench = toolBench([tool], { root: workspace.root });
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => void (most = Math.max(most, process.memoryUsage.rss())), 20);
  const result = await bench.call("run_command", {
    command: `yes ${"0123456789".repeat(10)} | head -c ${GIGABYTE}`,
  });
  clearInterval(watch);
  await use(textOf(result.content), bench.session.resolve("session:call_1-output.txt").absolute);
  bench.session.dispose();
  return most - before;
}

describe("a gigabyte of output", () => {
  test("is whole in the session, and takes little memory", async () => {
    const grown = await gigabyte(GIGABYTE, async (text, file) => {
      expect(text).toMatch(/of 1073741824 characters left out, \d+ lines in all; the whole is session:/);
      expect(statSync(file).size).toBe(GIGABYTE);
      let at = 0;
      const line = Buffer.from(`${"0123456789".repeat(10)}\n`.repeat(2000));
      for await (const part of createReadStream(file, { highWaterMark: 101 * 1000 })) {
        const chunk = part as Buffer;
        const from = at % 101;
        if (!chunk.equals(line.subarray(from, from + chunk.length)))
          throw new Error(`differs after byte ${at}`);
        at += chunk.length;
      }
      expect(at).toBe(GIGABYTE);
    });
    expect(grown).toBeLessThan(200 * 2 ** 20);
  });

  test("is kept up to the cap, which says so", async () => {
    const cap = 64 * 2 ** 20;
    const grown = await gigabyte(cap, async (text, file) => {
      expect(text).toContain(
        `the first ${cap} bytes are session:call_1-output.txt, to be read with read_file`,
      );
      expect(statSync(file).size).toBe(cap);
    });
    expect(grown).toBeLessThan(200 * 2 ** 20);
  });

  test("on one line takes little memory, too", async () => {
    const tool = createRunCommand({ timeoutSeconds: 500, maxOutputBytes: GIGABYTE });
    const bench = toolBench([tool], { root: workspace.root });
    const before = process.memoryUsage.rss();
    const result = await bench.call("run_command", { command: `head -c ${GIGABYTE} /dev/zero | tr '\\0' x` });
    expect(textOf(result.content)).toContain("of 1073741824 characters left out, 0 lines in all");
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
    bench.session.dispose();
  });
});

test.skipIf(!hasSandbox)("the sandbox in a workspace of 20,000 files", async () => {
  const make =
    "for a in {1..20}; do for b in {1..100}; do mkdir -p $a/$b; touch $a/$b/{1..10}; done; done; touch 7/7/.env";
  execFileSync("bash", ["-c", make], { cwd: workspace.root });
  const sandbox = await openSandbox("required", false);
  const tool = createRunCommand({ timeoutSeconds: 60, maxOutputBytes: 1 << 20, sandbox });
  const policy = { allow: ["run_command"], deny: ["read:.env*"], protect: [".git/", "toycoder.config.ts"] };
  const bench = toolBench([tool], { root: workspace.root, policy });
  workspace.write("script.sh", "cat 7/7/.env; mkdir 7/7/.git; find . -type f | wc -l");
  for (const name of [".git.refused", ".git.refused-2"]) {
    const text = textOf((await bench.call("run_command", { command: "bash script.sh" })).content);
    expect(text).toContain("cat: 7/7/.env: Permission denied");
    expect(text).toContain(`7/7/.git may not be made, and is now 7/7/${name}`);
  }
});
