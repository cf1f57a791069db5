import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { RunResult } from "@toycoder/agent";
import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette } from "../test-support/cassette.ts";
import { processesWith } from "../test-support/processes.ts";
import { BIN, startToycoder } from "../test-support/run-toycoder.ts";

async function sleeping(seconds: string) {
  const calls = [{ name: "run_command", arguments: { command: `sleep ${seconds}`, timeout: 60 } }];
  return tempWorkspace({ "c.jsonl": await cassette([{ calls }, { text: "never" }], ALL_TOOLS) });
}

const ARGS = ["run", "x", "--model", "replay:c.jsonl", "--allow", "run_command", "--output", "stream-json"];

/** Resolves when stdout has shown `text`. */
function shown(stdout: NodeJS.ReadableStream, text: string): Promise<void> {
  let seen = "";
  return new Promise((resolve) => {
    stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve();
    });
  });
}

describe("a run that is stopped in a tool", () => {
  it.each([
    ["SIGTERM", 143, "7301.3"],
    ["SIGINT", 130, "7302.3"],
  ] as const)("by %s ends with %i, its result last, and leaves no process", async (signal, code, seconds) => {
    using folder = await sleeping(seconds);
    const { child, done } = startToycoder(ARGS, { cwd: folder.root });
    await shown(child.stdout!, '"type":"decision"');
    child.kill(signal);
    const ended = await done;
    expect([ended.code, ended.signal]).toEqual([code, null]);
    const last = JSON.parse(ended.stdout.trim().split("\n").at(-1)!) as { type: string; result: RunResult };
    expect(last).toMatchObject({ type: "result", result: { status: "cancelled", exitCode: code } });
    expect(processesWith(`sleep\0${seconds}`)).toEqual([]);
    const [session] = readdirSync(folder.path(".state/sessions"));
    expect(folder.read(`.state/sessions/${session}/events.jsonl`)).toContain('"status":"cancelled"');
  });

  it("by the reader of stdout going away ends with 141 and leaves no process", async () => {
    const calls = [
      { name: "run_command", arguments: { command: "until [ -e go ]; do sleep 0.02; done", timeout: 60 } },
    ];
    using folder = tempWorkspace({ "c.jsonl": await cassette([{ calls }, { text: "unread" }], ALL_TOOLS) });
    const { child, done } = startToycoder(ARGS, { cwd: folder.root });
    done.catch(() => {});
    await shown(child.stdout!, '"type":"decision"');
    const exited = once(child, "exit");
    child.stdout!.destroy();
    folder.write("go", "");
    expect(await exited).toEqual([141, null]);
    expect(processesWith("until [ -e go ]")).toEqual([]);
  });
});

describe("a run whose session can no longer be written", () => {
  it("ends with 3, its running tool stopped first", async () => {
    // The lines up to the tool's start are longer than the limit.
    using folder = await sleeping(`7304.3 # ${"x".repeat(2000)}`);
    // Files of this process and its children end at 1 KiB.
    const limited = 'ulimit -f 1; exec "$0" "$@"';
    const args = ["-c", limited, process.execPath, BIN, ...ARGS.slice(0, -1), "json"];
    const env = { ...process.env, TOYCODER_STATE_DIR: folder.path(".state"), NODE_COMPILE_CACHE: "" };
    const child = spawn("bash", args, { cwd: folder.root, env, stdio: ["ignore", "pipe", "ignore"] });
    const [stdout, [code]] = await Promise.all([
      text(child.stdout),
      once(child, "exit") as Promise<[number]>,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "config_error", error: { code: "session_folder" } });
    expect(code).toBe(3);
    expect(processesWith("sleep\u00007304.3")).toEqual([]);
  });
});
