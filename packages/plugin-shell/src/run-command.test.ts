import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Tool, textOf, type ToolResult } from "@toycoder/core";
import { hasProgram, type TempWorkspace, tempWorkspace, toolBench } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRunCommand } from "./run-command.ts";
import { processesWith } from "./test-support/processes-with.ts";

const tool = (options: Partial<Parameters<typeof createRunCommand>[0]> = {}): Tool =>
  createRunCommand({ timeoutSeconds: 30, maxOutputBytes: 1 << 28, ...options });

let workspace: TempWorkspace;
beforeEach(() => void (workspace = tempWorkspace({ "sub/here.txt": "" })));
afterEach(() => workspace.dispose());

const run = (args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult> =>
  toolBench([tool()], { root: workspace.root }).call("run_command", args, signal);

async function outputOf(command: string): Promise<string> {
  const result = await run({ command });
  if (!result.ok) throw new Error(textOf(result.content));
  return textOf(result.content).replace(/^\[exit \d+ · .*\]\n/, "");
}

describe("a command's end", () => {
  test("exit code and duration come first, then the output", async () => {
    const result = await run({ command: "echo out; exit 3" });
    expect(textOf(result.content)).toMatch(/^\[exit 3 · \d+\.\d\d s\]\nout$/);
    expect(result).toMatchObject({ ok: true, output: { exitCode: 3, signal: null, output: "out" } });
  });

  test("a signal is named", async () => {
    expect(textOf((await run({ command: "kill -9 $$" })).content)).toMatch(
      /^\[ended by SIGKILL · .*\]\n\(no output\)$/,
    );
    const inner = await run({ command: "bash -c 'kill -TERM $$'; exit $?" });
    expect(textOf(inner.content)).toContain("exit 143 (128 + SIGTERM)");
  });

  test("a program that is not there is the shell's exit 127", async () => {
    const result = await run({ command: "no-such-program --x" });
    expect(textOf(result.content)).toMatch(/^\[exit 127 .*\n.*no-such-program: command not found$/);
  });

  test("a command that looks like an option is a command", async () => {
    expect(textOf((await run({ command: "-c" })).content)).toContain("exit 127");
  });
});

describe("the surroundings of a command", () => {
  test("no input and no terminal", async () => {
    expect(await outputOf("read x; echo $?; cat; tty; (: > /dev/tty) 2>/dev/null || echo none")).toBe(
      "1\nnot a tty\nnone",
    );
  });

  test("it runs in workdir", async () => {
    const result = await run({ command: "ls; echo $PWD", workdir: "sub" });
    expect(result).toMatchObject({ output: { output: `here.txt\n${workspace.path("sub")}` } });
  });

  test.each([
    ["none", "not_found", "the workdir none does not exist"],
    ["sub/here.txt", "not_a_folder", "the workdir sub/here.txt is not a folder"],
    ["/", "outside_workspace", "outside the workspace"],
    ["..", "outside_workspace", "outside the workspace"],
  ])("workdir %s is %s", async (workdir, code, message) => {
    const result = await run({ command: "pwd", workdir });
    expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
  });

  test("a NUL character is refused", async () => {
    expect(await run({ command: "echo a\0b" })).toMatchObject({
      ok: false,
      error: { code: "invalid_command" },
    });
  });

  test.each([[{}], [{ command: " " }], [{ command: "x", timeout: 0 }], [{ command: "x", timeout: 3601 }]])(
    "%j is refused",
    async (args) => {
      expect(await run(args)).toMatchObject({ ok: false, error: { code: "invalid_arguments" } });
    },
  );
});

describe("output", () => {
  test("stdout and stderr keep their order", async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `o${index}\ne${index}`).join("\n");
    expect(await outputOf("for i in {0..49}; do echo o$i; echo e$i >&2; done")).toBe(lines);
  });

  test("characters that are split over writes are whole", async () => {
    expect(
      await outputOf(String.raw`printf '\xe6'; printf '\x97'; printf '\xa5\xe6\x9c'; printf '\xac'`),
    ).toBe("日本");
  });

  test("terminal codes are taken out, progress is its last state", async () => {
    expect(await outputOf(String.raw`printf '\e[1;31mred\e[0m\n10%%\r55%%\r100%%\nab\bc\n'`)).toBe(
      "red\n100%\nac",
    );
  });

  test("long output keeps head and tail, and is whole in the session", async () => {
    const bench = toolBench([tool()], { root: workspace.root });
    const result = await bench.call("run_command", { command: "seq 1 100000" });
    const shown = textOf(result.content);
    expect(shown.length).toBeLessThanOrEqual(10_050);
    expect(shown).toMatch(/^\[exit 0 .*\]\n1\n2\n3\n/);
    expect(shown).toMatch(/\n99999\n100000$/);
    const [, name = ""] =
      /\[… \d+ of 588895 characters left out, 100000 lines in all; the whole is (session:[\w.-]+), to be read with read_file …\]/.exec(
        shown,
      ) ?? [];
    const whole = readFileSync(bench.session.resolve(name).absolute, "utf8");
    expect(whole).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join(""));
    bench.session.dispose();
  });

  test("what goes over the cap is counted, not kept", async () => {
    const bench = toolBench([tool({ maxOutputBytes: 20_000 })], { root: workspace.root });
    const result = await bench.call("run_command", { command: "seq 1 100000" });
    const shown = textOf(result.content);
    expect(shown).toMatch(/of 588895 characters left out, .* the first 20000 bytes are session:/);
    expect(shown).toMatch(/\n100000$/);
    bench.session.dispose();
  });

  test("binary output is kept and described", async () => {
    const bench = toolBench([tool()], { root: workspace.root });
    const result = await bench.call("run_command", { command: String.raw`printf '\x00\x01\xff\xfe'` });
    const [, name = ""] =
      /\[binary output, 4 bytes; the whole is (session:\S+),/.exec(textOf(result.content)) ?? [];
    expect([...readFileSync(bench.session.resolve(name).absolute)]).toEqual([0, 1, 255, 254]);
    bench.session.dispose();
  });
});

describe("nothing is left", () => {
  // A marker that no other process has: part of a command line, harmless where it is.
  let marker: string;
  beforeEach(() => void (marker = `9${process.hrtime.bigint()}`));
  test.each([
    ["a background child", "sleep MARKER & echo done"],
    ["one in a session of its own", "setsid sleep MARKER & echo done"],
    ["one that gave up its output", "setsid sleep MARKER >/dev/null 2>&1 & echo done"],
    ["a daemon that forked twice", "(setsid sh -c 'sleep MARKER & sleep MARKER' &) ; echo done"],
    ["one that ignores TERM", "(trap '' TERM; sleep MARKER) & echo done"],
    ["many", "for i in {1..50}; do sleep MARKER & done; echo done"],
  ])("after the exit: %s", async (_, command) => {
    expect(await outputOf(command.replaceAll("MARKER", marker))).toBe("done");
    expect(processesWith(marker)).toEqual([]);
  });

  test.each([
    ["a sleeper", "sleep MARKER"],
    ["one that ignores TERM", "trap '' TERM; sleep MARKER; sleep MARKER"],
    ["a group of 200", "for i in {1..200}; do sleep MARKER & done; wait"],
    ["a session of its own", "setsid -w sleep MARKER"],
    ["endless output", "yes MARKER"],
    ["one that waits for a lock", "mkfifo p; echo MARKER > p"],
  ])("after the limit: %s", async (_, command) => {
    const result = await run({ command: command.replaceAll("MARKER", marker), timeout: 0.3 });
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(processesWith(marker)).toEqual([]);
  });

  test.each([
    ["read x", 1, ""],
    ["cat", 0, ""],
    ["yes | head -n 2", 0, "y\ny"],
    ["sleep 99 & read x", 1, ""],
  ])("what waits for a person ends by itself: %s", async (command, exitCode, output) => {
    const result = await run({ command });
    expect(result).toMatchObject({ ok: true, output: { exitCode } });
    expect(textOf(result.content)).toContain(output);
  });

  test.skipIf(!hasProgram("git"))("git commit without a message ends by itself", async () => {
    const command = "git init -q . && git add sub && git -c user.name=x -c user.email=x@x commit";
    const result = await run({ command });
    expect(result).toMatchObject({ ok: true, output: { exitCode: 1 } });
    expect(textOf(result.content)).toContain("Aborting commit");
  });

  test("the output until the limit is shown", async () => {
    const result = await run({ command: `echo ready; sleep ${marker}`, timeout: 0.5 });
    expect(textOf(result.content)).toMatch(/stopped at its limit of 0.5 s. Its output until then:\nready\n/);
    expect(processesWith(marker)).toEqual([]);
  });

  test("after a cancelled run, once the plugin is disposed of", async () => {
    const running = new Set<Promise<unknown>>();
    const bench = toolBench([tool({ running })], { root: workspace.root });
    const cancel = new AbortController();
    execFileSync("mkfifo", [workspace.path("started")]);
    const command = `trap '' TERM; echo yes > started; sleep ${marker}; sleep ${marker}`;
    const pending = bench.call("run_command", { command }, cancel.signal);
    expect(await readFile(workspace.path("started"), "utf8")).toBe("yes\n");
    cancel.abort();
    expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect(running.size).toBe(1);
    await Promise.allSettled(running);
    expect(running.size).toBe(0);
    expect(processesWith(marker)).toEqual([]);
  });
});
