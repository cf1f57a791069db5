import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import type { RunResult } from "@toycoder/agent";
import { type TempWorkspace, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, cassette, SAFE_TOOLS } from "../test-support/cassette.ts";
import { BIN, type Finished, runToycoder } from "../test-support/run-toycoder.ts";

const PACKAGE = '{ "name": "x", "scripts": { "test": "node --version" } }';

const PROJECTS: Readonly<
  Record<string, { files: Record<string, string>; file: string; source: string; test: string | null }>
> = {
  "an empty folder": { files: {}, file: ".toycoderrc.yaml", source: "src/a.txt", test: null },
  "a Node project": {
    files: { "package.json": PACKAGE, "package-lock.json": "{}", "lib/a.js": "", ".env": "A=1" },
    file: "toycoder.config.ts",
    source: "lib/b.js",
    test: "npm test",
  },
  "a Python project": {
    files: {
      "pyproject.toml": "[tool.pytest.ini_options]\n",
      "uv.lock": "",
      "tests/a.py": "",
      "shop/__init__.py": "",
    },
    file: ".toycoderrc.yaml",
    source: "shop/b.py",
    test: "uv run pytest",
  },
  "a pnpm workspace": {
    files: {
      "package.json": PACKAGE.replace("{", '{ "packageManager": "pnpm@9.0.0",'),
      "pnpm-workspace.yaml": 'packages:\n  - "modules/*"\n  - apps/**\n',
      "modules/a/package.json": "{}",
      "apps/b/package.json": "{}",
    },
    file: "toycoder.config.ts",
    source: "modules/a/b.js",
    test: "pnpm test",
  },
};

const init = (folder: TempWorkspace, ...args: string[]): Promise<Finished> =>
  runToycoder(["init", ...args], { cwd: folder.root });

/** Holds the config to its own policy tests, and runs a recorded model on it that writes and reads. */
async function proves(folder: TempWorkspace, source: string, test: string | null): Promise<void> {
  const checked = await runToycoder(["check", "--json"], { cwd: folder.root });
  const passed = test === null ? 1 : 3;
  expect([checked.code, checked.stderr]).toEqual([0, ""]);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    policyTests: { passed, failed: [] },
    rules: { findings: [] },
  });
  const calls = [
    { name: "write_file", arguments: { path: source, content: "new\n" } },
    { name: "read_file", arguments: { path: ".env" } },
  ];
  folder.write(
    "cassette.jsonl",
    await cassette([{ calls }, { text: "Done." }], test === null ? SAFE_TOOLS : ALL_TOOLS),
  );
  const line = ["run", "go on", "--model", "replay:cassette.jsonl", "--output", "json"];
  const run = await runToycoder(line, { cwd: folder.root });
  const result = JSON.parse(run.stdout) as RunResult;
  expect([run.code, result.changes.map(({ path }) => path)]).toEqual([0, [source]]);
  expect(result.denials).toMatchObject([
    { tool: "read_file", code: "permission_denied", rule: "read:.env*" },
  ]);
}

describe.each(Object.entries(PROJECTS))("toycoder init --yes in %s", (_, { files, file, source, test }) => {
  it("writes one config that holds, and nothing else", async () => {
    using folder = tempWorkspace(files);
    const before = readdirSync(folder.root);
    const { code, stdout } = await init(folder, "--yes", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ file: folder.path(file), overwritten: false, test });
    expect(readdirSync(folder.root).sort()).toEqual([...before, file].sort());
    expect(folder.read(file)).toMatch(/^\s*(?:\/\/|#) /m);
    await proves(folder, source, test);
  });

  it.each(["ts", "json", "yaml"])("and in %s", async (format) => {
    using folder = tempWorkspace(files);
    expect((await init(folder, "--yes", "--format", format)).code).toBe(0);
    await proves(folder, source, test);
  });
});

describe("toycoder init", () => {
  it("never writes over a config without --force", async () => {
    using folder = tempWorkspace({ "package.json": PACKAGE, "toycoder.config.ts": "export default {};" });
    const refused = await init(folder, "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "toycoder: there is a config already: toycoder.config.ts\n  --force writes over it; toycoder check shows what it says\n",
    ]);
    // Under another name it would be passed over, or pass the old one over.
    const other = await init(folder, "--yes", "--force", "--format", "yaml");
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining("a folder has one config") as string,
    ]);
    expect(folder.read("toycoder.config.ts")).toBe("export default {};");
    const forced = await init(folder, "--yes", "--force");
    expect([forced.code, forced.stdout]).toEqual([0, expect.stringMatching(/^wrote over /) as string]);
    expect(folder.read("toycoder.config.ts")).toContain("npm test");
  });

  it("takes its answers from flags", async () => {
    using folder = tempWorkspace({ "package.json": PACKAGE });
    const flags = [
      "--model",
      "openai-compatible:x",
      "--base-url",
      "http://127.0.0.1:9/v1",
      "--write",
      "docs/**",
    ];
    expect((await init(folder, "--yes", "--format", "json", "--allow-tests", "none", ...flags)).code).toBe(0);
    expect(JSON.parse(folder.read("toycoder.config.json"))).toMatchObject({
      model: { provider: "openai-compatible", model: "x", baseURL: "http://127.0.0.1:9/v1" },
      permissions: { allow: ["edit_file(docs/**)", "write_file(docs/**)"] },
    });
    expect((await runToycoder(["check"], { cwd: folder.root })).code).toBe(0);
  });

  it.each([
    [["--yes", "--model", "opnai:x"], '--model: there is no provider "opnai"'],
    [["--yes", "--write", "src/{"], "--write: rule "],
    [["--yes", "--format", "toml"], "--format is one of ts, json, yaml"],
    [["--yes", "--cwd", "nowhere"], "--cwd: there is no folder "],
    [["--yes", "here"], 'init takes no words, not "here"'],
    [[], "there is no terminal to ask on\n  toycoder init --yes takes the defaults"],
  ])("%j is wrong use, and nothing is written", async (args, message) => {
    using folder = tempWorkspace();
    const { code, stderr } = await init(folder, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message) as string]);
    expect(readdirSync(folder.root)).toEqual([]);
  });

  it("says what it found, keys by name alone", async () => {
    using folder = tempWorkspace({ "package.json": PACKAGE, "AGENTS.md": "", ".mcp.json": "{}" });
    const env = { ANTHROPIC_API_KEY: "sk-hunter2" };
    const { stdout } = await runToycoder(["init", "--yes"], { cwd: folder.root, env });
    expect(stdout).toMatch(/AGENTS\.md is read .*\n\.mcp\.json is left alone.*\n/);
    expect(stdout).toContain("Keys that are set: ANTHROPIC_API_KEY\n");
    expect(stdout + folder.read("toycoder.config.ts")).not.toContain("hunter2");
  });

  it.each<[Record<string, string>, string | null]>([
    [{ "Cargo.toml": "" }, "cargo test"],
    [{ "go.mod": "", "main.go": "" }, "go test ./..."],
    [{ Makefile: "build:\n\ntest: build\n" }, "make test"],
    [{ Makefile: "test := 1\n" }, null],
    [{ "package.json": PACKAGE, "yarn.lock": "" }, "yarn test"],
    [{ "package.json": PACKAGE, "bun.lock": "" }, "bun run test"],
    [{ "package.json": '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }' }, null],
    [{ "setup.py": "", "tests/a.py": "" }, "python -m unittest"],
    [{ "requirements.txt": "pytest==8\n", "poetry.lock": "" }, "poetry run pytest"],
  ])("of %j takes the test command %s", async (files, test) => {
    using folder = tempWorkspace(files);
    expect(JSON.parse((await init(folder, "--yes", "--json")).stdout)).toMatchObject({ test });
    expect((await runToycoder(["check"], { cwd: folder.root })).code).toBe(0);
  });
});

describe.skipIf(!existsSync("/usr/bin/script"))("toycoder init on a terminal", () => {
  /** Answers each question when it is there; the exit code and all that was shown. */
  function ask(
    folder: TempWorkspace,
    answers: readonly [question: string, keys: string][],
  ): Promise<[number | null, string]> {
    const command = `stty cols 100 rows 40; exec '${process.execPath}' '${BIN}' init`;
    const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], {
      cwd: folder.root,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder.root, TERM: "xterm", SHELL: "/bin/sh" },
    });
    const left = [...answers];
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
      const [next] = left;
      if (next === undefined || !shown.includes(next[0])) return;
      left.shift();
      child.stdin.write(next[1]);
    });
    return new Promise((resolve) => child.on("close", (code) => resolve([code, shown])));
  }

  it("asks, with what it found as the answers that stand there", async () => {
    using folder = tempWorkspace({ "package.json": PACKAGE, "src/a.js": "" });
    const [code] = await ask(folder, [
      ["Which model", "\r"],
      ["Where may it write", "\r"],
      ["Which test command", " -- --quiet\r"],
      ["Which file", "\u001b[B\r"],
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(folder.read("toycoder.config.json"))).toMatchObject({
      model: "auto",
      permissions: {
        allow: ["edit_file(src/**)", "write_file(src/**)", "run_command(npm test -- --quiet *)"],
      },
    });
  });

  it("130, and nothing is written, where the person leaves", async () => {
    using folder = tempWorkspace();
    expect((await ask(folder, [["Which model", "\u0003"]]))[0]).toBe(130);
    expect(readdirSync(folder.root)).toEqual([]);
  });
});
