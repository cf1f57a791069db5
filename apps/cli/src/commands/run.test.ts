import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RunResult } from "@toycoder/agent";
import { hasProgram, type ScriptedTurn, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { type Options, runToycoder } from "../test-support/run-toycoder.ts";

const EXAMPLE = fileURLToPath(new URL("../../../../examples/fix-failing-test", import.meta.url));
const config = (body: string): string =>
  `import { defineConfig } from "toycoder";\nexport default defineConfig(${body});\n`;

/** Runs a task on a cassette and parses the one JSON object on stdout. */
async function runJson(
  args: readonly string[],
  options: Options,
): Promise<RunResult & { code: number | null }> {
  const { code, stdout, stderr } = await runToycoder(["run", ...args, "--output", "json"], options);
  if (stdout === "") throw new Error(`exit ${code}, nothing on stdout; stderr: ${stderr}`);
  return { ...(JSON.parse(stdout) as RunResult), code };
}

async function playing(
  turns: readonly ScriptedTurn[],
  files: Record<string, string> = {},
  tools = SAFE_TOOLS,
) {
  return tempWorkspace({ "c.jsonl": await cassette(turns, tools), ...files });
}

const PLAY = ["Do it.", "--model", "replay:c.jsonl"];
const write = (path: string) => ({ name: "write_file", arguments: { path, content: "new\n" } });

describe("toycoder run on the example", () => {
  it("does the task and tells the truth of it", async () => {
    using folder = tempWorkspace();
    cpSync(`${EXAMPLE}/project`, folder.root, { recursive: true });
    const result = await runJson(["Fix the test.", "--model", `replay:${EXAMPLE}/cassette.jsonl`], {
      cwd: folder.root,
    });
    expect(result).toMatchObject({
      schemaVersion: 1,
      status: "completed",
      exitCode: 0,
      code: 0,
      error: null,
      changes: [{ path: "src/total.js", kind: "modified", additions: 1, deletions: 1 }],
      denials: [{ tool: "run_command", code: "permission_denied", rule: "exec:git push *" }],
    });
    expect(result.turns).toBeGreaterThan(4);
    expect(result.usage.inputTokens).toBeGreaterThan(0);
    expect(folder.read("src/total.js")).toContain("item.price * item.quantity");
    const sessions = readdirSync(folder.path(".state/sessions"));
    expect(sessions).toEqual([result.sessionId]);
    const lines = folder.read(`.state/sessions/${result.sessionId}/events.jsonl`).trim().split("\n");
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      v: 1,
      type: "result",
      result: { status: "completed" },
    });
  });

  it("prints events as lines, the result last", async () => {
    using folder = await playing([
      { text: "hm", calls: [{ name: "list_dir", arguments: {} }] },
      { text: "Done." },
    ]);
    const { code, stdout } = await runToycoder(["run", ...PLAY, "--output", "stream-json"], {
      cwd: folder.root,
    });
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { v: number; type: string });
    expect(code).toBe(0);
    expect(events.every(({ v }) => v === 1)).toBe(true);
    expect(events.map(({ type }) => type)).toEqual([
      "session_start",
      "notice",
      "user",
      "turn_start",
      "text_delta",
      "text",
      "tool_call",
      "usage",
      "decision",
      "tool_result",
      "turn_end",
      "turn_start",
      "text_delta",
      "text",
      "usage",
      "turn_end",
      "result",
    ]);
  });

  it("puts the answer on stdout and all else on stderr", async () => {
    using folder = await playing([{ calls: [write("a.txt")] }, { text: "All done." }]);
    const { code, stdout, stderr } = await runToycoder(["run", ...PLAY, "--allow", "write_file"], {
      cwd: folder.root,
    });
    expect([code, stdout]).toEqual([0, "All done.\n"]);
    expect(stderr).toContain("✓ write_file");
    expect(stderr).toContain("+new");
    expect(stderr).toContain("completed after 2 turns, 1 call");
    expect(stderr).toContain("created a.txt +1 -0");
    expect(stderr).not.toContain("\u001b[");
  });
});

describe("exit codes", () => {
  it("0: a denial by the policy leaves it", async () => {
    using folder = await playing(
      [{ calls: [{ name: "read_file", arguments: { path: ".env" } }] }, { text: "ok" }],
      { ".env": "x" },
    );
    const result = await runJson([...PLAY, "--deny", "read:.env*"], { cwd: folder.root });
    expect(result).toMatchObject({
      code: 0,
      exitCode: 0,
      denials: [{ code: "permission_denied", rule: "read:.env*" }],
    });
  });

  it("6: a rule is lacking, named; with it the run completes", async () => {
    using folder = await playing([{ calls: [write("src/a.txt")] }, { text: "ok" }]);
    const result = await runJson(PLAY, { cwd: folder.root });
    expect(result).toMatchObject({
      code: 6,
      status: "denied",
      denials: [{ code: "approval_required", suggestion: "write_file(src/a.txt)" }],
    });
    expect(existsSync(folder.path("src/a.txt"))).toBe(false);
    const again = await runJson([...PLAY, "--allow", result.denials[0]!.suggestion!], { cwd: folder.root });
    expect(again).toMatchObject({ code: 0, changes: [{ path: "src/a.txt", kind: "created" }] });
  });

  it("6: a disabled tool, with the rule that would allow the call", async () => {
    const call = { name: "run_command", arguments: { command: "echo hi" } };
    using folder = await playing([{ calls: [call] }, { text: "ok" }]);
    expect(await runJson(PLAY, { cwd: folder.root })).toMatchObject({
      code: 6,
      denials: [{ code: "tool_disabled", suggestion: "run_command(echo hi)" }],
    });
    using enabled = await playing([{ calls: [call] }, { text: "ok" }], {}, ALL_TOOLS);
    const rule = ["--allow", "run_command(echo hi)"];
    expect(await runJson([...PLAY, ...rule], { cwd: enabled.root })).toMatchObject({ code: 0 });
  });

  it("--yes allows what would be asked, and no more", async () => {
    const calls = [write("a.txt"), write(".git/config"), write("../out.txt"), write("no.txt")];
    using folder = await playing([{ calls }, { text: "ok" }]);
    const result = await runJson([...PLAY, "--yes", "--deny", "write:no.txt"], { cwd: folder.root });
    expect(result.denials.map(({ code }) => code)).toEqual([
      "permission_denied",
      "outside_workspace",
      "permission_denied",
    ]);
    expect(result.changes.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it("7: the turn limit", async () => {
    const look = { calls: [{ name: "list_dir", arguments: {} }] };
    using folder = await playing([look, look, { text: "ok" }]);
    expect(await runJson([...PLAY, "--max-turns", "2"], { cwd: folder.root })).toMatchObject({
      code: 7,
      status: "limit",
      turns: 2,
      error: { code: "turn_limit" },
    });
  });

  it("3: the run departs from the cassette", async () => {
    using folder = await playing([{ text: "ok" }], {}, ["read_file"]);
    const result = await runJson(PLAY, { cwd: folder.root });
    expect(result).toMatchObject({ code: 3, status: "config_error", error: { code: "replay_mismatch" } });
    expect(result.error?.message).toContain("line 1  offers read_file\n  now     offers ask_user");
  });

  it.each([
    ["an unknown key", config("{ permisions: { allow: [] } }"), ["permisions", "did you mean"]],
    ["an unknown key, deep", config("{ permissions: { alow: [] } }"), ["permissions.alow", "allow"]],
    ["a wrong type", config('{ limits: { turns: "many" } }'), ["limits.turns"]],
    ["a wrong rule", config('{ permissions: { allow: ["run_command("] } }'), ["column 13"]],
    [
      "an unknown tool in a rule",
      config('{ permissions: { allow: ["raed_file"] } }'),
      ["raed_file", "read_file"],
    ],
    ["an unknown plugin", config('{ plugins: ["fils"] }'), ["fils", "files"]],
    ["an unknown tool to enable", config('{ tools: { enable: ["nope"] } }'), ["nope"]],
    ["a syntax error", "export default {\n  a: [1,\n};\n", ["toycoder.config.ts"]],
    ["no default", "export const x = 1;\n", ["default"]],
    ["a throwing config", "throw new Error('boom');\n", ["boom"]],
    ["an unknown provider", config('{ model: "gogle:x" }'), ["gogle"]],
    ["a server that is not said", config('{ model: "openai-compatible:x" }'), ["--base-url"]],
  ])("3: %s", async (_, text, parts) => {
    using folder = tempWorkspace({ "toycoder.config.ts": text });
    const result = await runJson(["Do it."], { cwd: folder.root });
    expect(result).toMatchObject({ code: 3, exitCode: 3, status: "config_error" });
    const told = `${result.error?.message} ${result.error?.hint}`;
    for (const part of parts) expect(told).toContain(part);
  });

  it("4: no model, no key", async () => {
    using folder = tempWorkspace();
    const auto = await runJson(["Do it."], { cwd: folder.root });
    expect(auto).toMatchObject({ code: 4, status: "provider_error", error: { code: "auth" } });
    expect(auto.error?.hint).toMatch(/ANTHROPIC_API_KEY.*Ollama.*--model/);
    for (const model of ["anthropic:m", "openai:m", "openai-chat:m"]) {
      expect(await runJson(["Do it.", "--model", model], { cwd: folder.root })).toMatchObject({
        code: 4,
        error: { code: "auth" },
      });
    }
  });

  it.each([
    [["run", "x", "--modle", "y"], "unknown flag --modle", "did you mean --model?"],
    [["run", "x", "--output", "xml"], "--output is one of", ""],
    [["run", "x", "--max-turns", "no"], "--max-turns is a whole number", ""],
    [["run", "x", "--model", "nope:y"], "--model: there is no provider", ""],
    [["run", "x", "--allow", "run_command("], "--allow: rule", ""],
    [["run", "x", "--enable", "nope"], "--enable: there is no tool nope", ""],
    [["run", "x", "--file", "y"], "give the task once", ""],
    [["run", "--file", "missing.txt"], "--file: ", ""],
    [["rnu"], 'unknown command "rnu"', "did you mean run?"],
    [["--frobnicate"], "unknown flag --frobnicate", ""],
    [["tools", "lst"], "tools has no lst", "did you mean list?"],
    [["tools", "call", "raed_file"], "there is no tool raed_file", "did you mean read_file?"],
    [["tools", "call", "read_file", "{"], "the arguments are not JSON", ""],
  ])("2: toycoder %j", async (args, message, hint) => {
    using folder = tempWorkspace();
    const { code, stdout, stderr } = await runToycoder(args, { cwd: folder.root });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`toycoder: ${message}`);
    expect(stderr).toContain(hint);
  });

  it("3: the session folder cannot be made", async () => {
    using folder = await playing([{ text: "ok" }], { file: "x" });
    const env = { TOYCODER_STATE_DIR: folder.path("file") };
    expect(await runJson(PLAY, { cwd: folder.root, env })).toMatchObject({
      code: 3,
      error: { code: "session_folder" },
    });
  });
});

describe("the task", () => {
  it("comes from stdin or a file, and an open, silent stdin is not waited for", async () => {
    using folder = await playing([{ text: "ok" }], { "task.txt": "From a file." });
    const run = ["run", "--model", "replay:c.jsonl", "--output", "stream-json"];
    const taskOf = (stdout: string): unknown =>
      (JSON.parse(stdout.split("\n")[0]!) as { task: unknown }).task;
    const piped = await runToycoder(run, { cwd: folder.root, input: "From stdin.\n" });
    expect(taskOf(piped.stdout)).toBe("From stdin.\n");
    const file = await runToycoder([...run, "--file", "task.txt"], { cwd: folder.root });
    expect(taskOf(file.stdout)).toBe("From a file.");
    const words = await runToycoder([...run, "two", "words"], { cwd: folder.root });
    expect(taskOf(words.stdout)).toBe("two words");
  });

  it("is missing: exit 2", async () => {
    using folder = tempWorkspace();
    const { code, stderr } = await runToycoder(["run"], { cwd: folder.root, input: " \n" });
    expect(code).toBe(2);
    expect(stderr).toContain("the task is empty");
  });
});

describe("--record", () => {
  it("writes a cassette that plays", async () => {
    using folder = await playing([{ calls: [write("a.txt")] }, { text: "Done." }]);
    const rule = ["--allow", "write_file"];
    await runJson([...PLAY, ...rule, "--record", "again.jsonl"], { cwd: folder.root });
    expect(folder.read("again.jsonl")).toContain('"type":"tool_result"');
    const model = ["Do it.", "--model", "replay:again.jsonl"];
    expect(await runJson([...model, ...rule], { cwd: folder.root })).toMatchObject({
      code: 0,
      text: "Done.",
    });
    expect(await runJson(model, { cwd: folder.root })).toMatchObject({
      code: 3,
      error: { code: "replay_mismatch" },
    });
  });

  it("says where it cannot write: exit 3", async () => {
    using folder = await playing([{ text: "ok" }]);
    const result = await runJson([...PLAY, "--record", "no/such/c.jsonl"], { cwd: folder.root });
    expect(result).toMatchObject({ code: 3, error: { code: "cassette_invalid" } });
  });
});

describe("--patch", () => {
  const edit = { path: "old.txt", old_string: "two\r\n", new_string: "2\r\n" };
  const turns = [
    {
      calls: [
        write("src/new file.txt"),
        { name: "edit_file", arguments: edit },
        { name: "write_file", arguments: { path: "漢.txt", content: "no end" } },
      ],
    },
    { text: "Done." },
  ];
  const files = { "old.txt": "one\r\ntwo\r\nthree", "漢.txt": "x\n" };
  const rules = ["--allow", "write_file", "--allow", "edit_file"];

  it.skipIf(!hasProgram("git"))("is what git applies to the tree as it was", async () => {
    using folder = await playing(turns, files);
    using copy = tempWorkspace(files);
    const result = await runJson([...PLAY, ...rules, "--patch", "run.patch"], { cwd: folder.root });
    expect(result).toMatchObject({ code: 0, changes: { length: 3 } });
    execFileSync("git", ["apply", folder.path("run.patch")], { cwd: copy.root });
    for (const name of ["old.txt", "漢.txt", "src/new file.txt"])
      expect(copy.read(name)).toBe(folder.read(name));
  });

  it("is empty where nothing has changed, whatever was there before", async () => {
    using folder = await playing([{ text: "ok" }], { "run.patch": "older" });
    expect(await runJson([...PLAY, "--patch", "run.patch"], { cwd: folder.root })).toMatchObject({ code: 0 });
    expect(folder.read("run.patch")).toBe("");
  });

  it("says where it cannot be written: at once, exit 2, or at the end, exit 1", async () => {
    using folder = await playing(turns, files);
    const { code, stderr } = await runToycoder(["run", ...PLAY, "--patch", "no/such/file"], {
      cwd: folder.root,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("--patch: ENOENT")]);
    if (!existsSync("/dev/full")) return;
    const full = await runJson([...PLAY, ...rules, "--patch", "/dev/full"], { cwd: folder.root });
    expect(full).toMatchObject({ code: 1, status: "internal_error", error: { code: "patch_failed" } });
    expect(full.changes).toHaveLength(3);
  });
});

describe("configs with nothing installed", () => {
  it("resolve toycoder and @toycoder/core, also from a local plugin", async () => {
    using folder = tempWorkspace({
      "c.jsonl": await cassette(
        [{ calls: [{ name: "list_dir", arguments: {} }] }, { text: "ok" }],
        ["list_dir"],
      ),
      "toycoder.config.ts": config(
        '{ plugins: ["files", "./nothing.ts"], tools: { disable: ["read_file", "write_file", "edit_file"] } }',
      ),
      "nothing.ts": `import { definePlugin, type PluginParts } from "@toycoder/core";
export default definePlugin({ name: "nothing", version: "1.0.0", api: 1, setup: (): PluginParts => ({ tools: [] }) });\n`,
    });
    const { code, stderr } = await runToycoder(["run", ...PLAY], { cwd: folder.root });
    expect(stderr).not.toContain("Warning");
    expect(code).toBe(0);
  });

  it("say which plugin cannot be loaded", async () => {
    using folder = tempWorkspace({
      "toycoder.config.ts": config('{ plugins: ["./bad.ts", "toycoder-plugin-nowhere"] }'),
      "bad.ts": "throw new Error('bad plugin')",
    });
    const result = await runJson(["x"], { cwd: folder.root });
    expect(result).toMatchObject({ code: 3, error: { code: "plugin_failed" } });
    expect(result.error?.message).toMatch(/bad\.ts.*bad plugin/);
    expect(result.error?.message).toContain("toycoder-plugin-nowhere");
  });
});
