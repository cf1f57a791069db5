import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { RunResult } from "@toycoder/agent";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { processesWith } from "../test-support/processes.ts";
import { BIN, type Finished, runToycoder, startToycoder } from "../test-support/run-toycoder.ts";

const PLAY = ["run", "x", "--model", "replay:c.jsonl"];

/** Runs the command in a line of bash, as "$@": with its own pipes and redirections. */
async function inBash(line: string, args: readonly string[], folder: TempWorkspace): Promise<Finished> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder.root,
    TOYCODER_STATE_DIR: folder.path(".state"),
  };
  const child = spawn("bash", ["-c", line, "bash", process.execPath, BIN, ...args], {
    cwd: folder.root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit") as Promise<[number | null]>,
  ]);
  return { stdout, stderr, code, signal: null };
}

/** Reads a pipe of 64 KB in pieces, with a pause after each. */
const SLOW_READER = `
const { readSync, writeSync } = require("node:fs");
const piece = Buffer.alloc(65536);
for (let length; (length = readSync(0, piece)) > 0;) {
  for (let done = 0; done < length;) done += writeSync(1, piece, done, length - done);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}`;

const sessionOf = (folder: TempWorkspace): string => {
  const [session] = readdirSync(folder.path(".state/sessions"));
  return folder.read(`.state/sessions/${session}/events.jsonl`);
};

describe("a slow reader of stdout", () => {
  const LONG = "0123456789abcdef".repeat(20 * 65_536);

  it.each(["text", "json", "stream-json"])(
    "gets all 20 MB of --output %s",
    async (output) => {
      using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: LONG }]), "slow.cjs": SLOW_READER });
      const line = `"$@" | "$1" slow.cjs; exit \${PIPESTATUS[0]}`;
      const { code, stdout } = await inBash(line, [...PLAY, "--output", output], folder);
      expect(code).toBe(0);
      if (output === "text") expect(stdout === `${LONG}\n`).toBe(true);
      else {
        const last = stdout.trimEnd().split("\n").at(-1)!;
        const result = output === "json" ? JSON.parse(stdout) : JSON.parse(last).result;
        expect((result as RunResult).text === LONG).toBe(true);
      }
    },
    60_000,
  );

  it("that stops reading holds no signal up", async () => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: LONG }]) });
    const { child } = startToycoder([...PLAY, "--output", "text"], { cwd: folder.root });
    const exited = once(child, "exit");
    // The first bytes are there, so the run is over; nobody reads on.
    await once(child.stdout!, "readable");
    child.stdout!.pause();
    child.kill("SIGTERM");
    expect(await exited).toEqual([143, null]);
    child.stdout!.destroy();
  });
});

describe("a closed stdout", () => {
  it.each(["text", "json", "stream-json"])("ends --output %s with 141 and no word", async (output) => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "Done.".repeat(50_000) }]) });
    // The reader is gone before the command starts.
    const line = `{ read -r _ < gate; "$@"; echo $? > code; } | { exec 0<&-; echo > gate; }; cat code`;
    const gated = `mkfifo gate; ${line}`;
    const { stdout, stderr } = await inBash(gated, [...PLAY, "--output", output], folder);
    expect(stdout).toBe("141\n");
    expect(stderr).not.toContain("EPIPE");
    expect(stderr).not.toContain("toycoder: ");
  });

  it("stops what runs, leaves no process, and the session is whole", async () => {
    const calls = [
      {
        name: "run_command",
        arguments: { command: "until [ -e go.7321 ]; do sleep 0.02; done", timeout: 60 },
      },
    ];
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ calls }, { text: "unread" }], ALL_TOOLS) });
    const args = [...PLAY, "--allow", "run_command", "--output", "stream-json"];
    // The reader takes the first line and goes; the run finds out at its next one.
    const { stdout } = await inBash(`{ "$@"; echo $? > code; } | head -1 > first; cat code`, args, folder);
    expect(stdout).toBe("141\n");
    expect(JSON.parse(folder.read("first"))).toMatchObject({ type: "session_start" });
    expect(processesWith("until [ -e go.7321 ]")).toEqual([]);
    const last = sessionOf(folder).trimEnd().split("\n").at(-1)!;
    expect(JSON.parse(last)).toMatchObject({
      type: "result",
      result: { status: "cancelled", exitCode: 141 },
    });
  });
});

it("a closed stderr changes nothing", async () => {
  using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "Done." }]) });
  const line = `{ read -r _ < gate; "$@" 2>&1 >out; echo $? > code; } | { exec 0<&-; echo > gate; }; cat code out`;
  const { stdout } = await inBash(`mkfifo gate; ${line}`, [...PLAY, "--verbose"].slice(0, -1), folder);
  expect(stdout).toBe("0\nDone.\n");
});

describe("a full disk behind stdout", () => {
  it.each(["text", "json", "stream-json"])("ends --output %s with 1 and says so", async (output) => {
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ text: "Done." }]) });
    const { code, stderr } = await inBash(`"$@" > /dev/full`, [...PLAY, "--output", output], folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^toycoder: stopped by stdout, which cannot be written: .*no space left/m);
    expect(stderr).not.toContain("    at ");
    expect(sessionOf(folder)).toContain('"type":"result"');
  });
});

describe("--output json prints one object, and stream-json ends with it", () => {
  const BAD_TIMER = `import { definePlugin } from "toycoder";
export default definePlugin({ name: "toycoder-plugin-bad", version: "1.0.0", api: 1, setup: () => {
  setTimeout(() => { throw new Error("out of the blue"); }, 50);
  return { tools: [] };
} });\n`;
  const cases: [string, Record<string, string>, readonly string[], number, string][] = [
    ["a config that cannot be read", { "toycoder.config.json": "{" }, PLAY, 3, "config_error"],
    [
      "a plugin that there is none",
      { "toycoder.config.json": '{"plugins":["no-such"]}' },
      PLAY,
      3,
      "config_error",
    ],
    ["a cassette that is missing", {}, ["run", "x", "--model", "replay:absent.jsonl"], 3, "config_error"],
    ["no model", {}, ["run", "x"], 4, "provider_error"],
    [
      "an error that nobody caught",
      {
        "bad.ts": BAD_TIMER,
        "toycoder.config.json": '{"plugins":["./bad.ts","shell"],"permissions":{"allow":["run_command"]}}',
      },
      [...PLAY, "--enable", "run_command"],
      1,
      "internal_error",
    ],
  ];
  it.each(cases)("for %s", async (_, files, args, exitCode, status) => {
    const calls = [{ name: "run_command", arguments: { command: "sleep 7322.5", timeout: 60 } }];
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ calls }, { text: "x" }], ["run_command"]),
      ...files,
    });
    const json = await runToycoder([...args, "--output", "json"], { cwd: folder.root });
    expect(JSON.parse(json.stdout)).toMatchObject({ schemaVersion: 1, status, exitCode });
    expect(json.code).toBe(exitCode);
    const stream = await runToycoder([...args, "--output", "stream-json"], { cwd: folder.root });
    const last = JSON.parse(stream.stdout.trimEnd().split("\n").at(-1)!) as unknown;
    expect(last).toMatchObject({ v: 1, type: "result", result: { status, exitCode } });
    expect(stream.code).toBe(exitCode);
    expect(processesWith("sleep\u00007322.5")).toEqual([]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("for %s while the task is read from stdin", async (signal, exitCode) => {
    using folder = tempWorkspace();
    // With --log there is a sign that the command has begun.
    const { child, done } = startToycoder(["run", "--output", "json", "--log", "log"], { cwd: folder.root });
    child.stdin!.write("half a ta");
    while (!existsSync(folder.path("log"))) await new Promise((resolve) => setImmediate(resolve));
    child.kill(signal);
    const { code, stdout } = await done;
    expect(JSON.parse(stdout)).toMatchObject({ status: "cancelled", exitCode });
    expect(code).toBe(exitCode);
  });

  it("says SIGTERM of a run that was stopped so, whatever a plugin throws then", async () => {
    const late = `import { definePlugin } from "toycoder";
process.on("SIGTERM", () => void Promise.reject(new Error("late")));
export default definePlugin({ name: "toycoder-plugin-late", version: "1.0.0", api: 1, setup: () => ({ tools: [] }) });\n`;
    const calls = [{ name: "run_command", arguments: { command: "sleep 7323.5", timeout: 60 } }];
    using folder = tempWorkspace({
      "c.jsonl": await cassette([{ calls }, { text: "x" }], ["run_command"]),
      "late.ts": late,
      "toycoder.config.json": '{"plugins":["./late.ts","shell"],"permissions":{"allow":["run_command"]}}',
    });
    const args = [...PLAY, "--enable", "run_command", "--output", "json", "--log", "log"];
    const { child, done } = startToycoder(args, { cwd: folder.root });
    const started = (): boolean =>
      existsSync(folder.path("log")) && folder.read("log").includes("tool_start");
    while (!started()) await new Promise((resolve) => setImmediate(resolve));
    child.kill("SIGTERM");
    const { code, stdout } = await done;
    expect(JSON.parse(stdout)).toMatchObject({ status: "cancelled", exitCode: 143 });
    expect(code).toBe(143);
    expect(processesWith("sleep\u00007323.5")).toEqual([]);
  });

  it("prints none for wrong use", async () => {
    using folder = tempWorkspace();
    for (const args of [["run"], ["run", "x", "--nonsense"], ["run", "x", "--max-turns", "0"]]) {
      const { code, stdout, stderr } = await runToycoder([...args, "--output", "json"], {
        cwd: folder.root,
        input: "",
      });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("toycoder: ");
    }
  });
});
