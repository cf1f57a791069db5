import { tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { runToycoder } from "../test-support/run-toycoder.ts";

const CONFIG = `import { defineConfig } from "toycoder";
export default defineConfig({
  model: "anthropic:claude",
  permissions: {
    allow: ["run_command(git status *)"],
    deny: ["read:.env*"],
    tests: [
      ["run_command", { command: "git status" }, "allow"],
      ["read_file", { path: ".env" }, "deny"],
      ["write_file", { path: "a", content: "" }, "ask"],
    ],
  },
  credentials: { mail: "MAIL_TOKEN" },
});
`;

describe("toycoder", () => {
  it("shows its commands, a command's flags, and its version", async () => {
    using folder = tempWorkspace();
    const run = async (...args: string[]) => await runToycoder(args, { cwd: folder.root });
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const { code, stdout } = await run(...args);
      expect(code).toBe(0);
      for (const name of ["run", "tools", "check", "explain"]) expect(stdout).toContain(`\n  ${name} `);
    }
    const help = (await run("run", "--help")).stdout;
    expect(help).toContain("--max-turns N");
    expect((await run("help", "run")).stdout).toBe(help);
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("toycoder tools", () => {
  it("lists, shows and calls", async () => {
    using folder = tempWorkspace({ "a.txt": "hello\n" });
    const run = async (...args: string[]) => await runToycoder(["tools", ...args], { cwd: folder.root });
    expect((await run()).stdout).toMatch(/run_command +dangerous, disabled/);
    const list = JSON.parse((await run("list", "--json")).stdout) as {
      name: string;
      enabled: boolean;
      plugin: string;
    }[];
    expect(list.map(({ name }) => name)).toEqual([
      "ask_user",
      "edit_file",
      "glob_search",
      "grep_search",
      "list_dir",
      "read_file",
      "run_command",
      "task",
      "tool_search",
      "write_file",
    ]);
    expect(list.find(({ name }) => name === "read_file")).toMatchObject({ enabled: true, plugin: "files" });
    expect(JSON.parse((await run("show", "read_file", "--json")).stdout)).toMatchObject({
      input: { type: "object" },
    });
    const read = await run("call", "read_file", '{"path":"a.txt"}');
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining("hello") as string]);
  });

  it("searches, and marks what is disabled", async () => {
    using folder = tempWorkspace();
    const search = async (...words: string[]) =>
      await runToycoder(["tools", "search", ...words], { cwd: folder.root });
    expect((await search("读取", "文件")).stdout).toMatch(/^read_file: /);
    expect((await search("run a shell command")).stdout).toMatch(/^run_command \(disabled\): /);
    const found = JSON.parse((await search("find text in files", "--json")).stdout) as { name: string }[];
    expect(found.slice(0, 2).map(({ name }) => name)).toContain("grep_search");
    expect((await search("zzzzqqqq")).stdout).toBe("no tool is found\n");
    expect((await search()).code).toBe(2);
  });

  it("tells a refused call (6) from one that failed (9)", async () => {
    using folder = tempWorkspace();
    const call = async (...args: string[]) =>
      await runToycoder(["tools", "call", ...args], { cwd: folder.root });
    const refused = await call("write_file", '{"path":"a","content":""}', "--json");
    expect(refused.code).toBe(6);
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, error: { code: "approval_required" } });
    expect((await call("write_file", '{"path":"a","content":""}', "--yes")).code).toBe(0);
    expect((await call("read_file", '{"path":"missing"}')).code).toBe(9);
    expect((await call("read_file", '{"path":1}')).code).toBe(9);
    expect((await call("run_command", '{"command":"true"}')).code).toBe(6);
    expect((await call("ask_user", '{"question":"?"}')).code).toBe(9);
  });
});

describe("a tool of a local file, nothing installed", () => {
  const TOOL = `import { defineTool, jsonSchema } from "@toycoder/core";
export const login = defineTool({
  name: "log_in",
  description: "Log in to the demo. Returns who is logged in.",
  input: jsonSchema<{ user: string }>({ type: "object", properties: { user: { type: "string" } }, required: ["user"] }),
  requiresAuth: ["DEMO_LOGIN"],
  execute: ({ user }, ctx) => user + " with " + ctx.credentials["DEMO_LOGIN"],
});
`;
  const files = { "toycoder.config.json": '{ "plugins": ["shell", "./log-in.ts"] }', "log-in.ts": TOOL };

  it("gets its credential by name, which no output and no command shows", async () => {
    using folder = tempWorkspace(files);
    const call = (name: string, args: object, env: Record<string, string>) =>
      runToycoder(["tools", "call", name, JSON.stringify(args), "--allow", "run_command"], {
        cwd: folder.root,
        env,
      });
    const lacking = await call("log_in", { user: "ada" }, {});
    expect([lacking.code, lacking.stderr]).toEqual([9, expect.stringContaining("auth_missing") as string]);
    const env = { DEMO_LOGIN: "hunter2-hunter2" };
    const done = await call("log_in", { user: "ada" }, env);
    expect([done.code, done.stdout]).toEqual([0, "ada with [credential DEMO_LOGIN]\n"]);
    const wrong = await call("log_in", { user: 1 }, env);
    expect(wrong.stderr).toContain("user: expected a string, received 1");
    const shell = await call("run_command", { command: "env" }, env);
    expect(shell.stdout).toContain("PATH=");
    expect(shell.stdout).not.toContain("DEMO_LOGIN");
  });
});

describe("toycoder check", () => {
  it("reports on a config that is well", async () => {
    using folder = tempWorkspace({ "toycoder.config.ts": CONFIG });
    const { code, stdout } = await runToycoder(["check", "--json"], {
      cwd: folder.root,
      env: { MAIL_TOKEN: "s3cret" },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      config: folder.path("toycoder.config.ts"),
      workspace: folder.root,
      model: "anthropic:claude",
      plugins: [{ name: "files" }, { name: "search" }, { name: "shell" }, { name: "question" }],
      policyTests: { passed: 3, failed: [] },
      credentials: [{ name: "mail", variable: "MAIL_TOKEN", present: true }],
    });
    expect(stdout).not.toContain("s3cret");
  });

  it("9: names each policy test that failed", async () => {
    using folder = tempWorkspace({ "toycoder.config.ts": CONFIG.replace('"ask"]', '"allow"]') });
    const { code, stdout } = await runToycoder(["check"], { cwd: folder.root });
    expect(code).toBe(9);
    expect(stdout).toContain("policy tests 2 passed, 1 failed");
    expect(stdout).toContain("expected allow, is ask");
  });

  it("3: a wrong config", async () => {
    using folder = tempWorkspace({ "toycoder.config.json": '{ "modell": "x" }' });
    const { code, stderr } = await runToycoder(["check"], { cwd: folder.root });
    expect(code).toBe(3);
    expect(stderr).toContain("modell");
  });

  it("works without a config", async () => {
    using folder = tempWorkspace();
    const { code, stdout } = await runToycoder(["check"], { cwd: folder.root });
    expect(code).toBe(0);
    expect(stdout).toContain("none found: the defaults hold");
  });
});

describe("toycoder explain", () => {
  it("says what is decided, by which rule, and what would allow it", async () => {
    using folder = tempWorkspace({ "toycoder.config.ts": CONFIG });
    const explain = async (tool: string, args: object) => {
      const line = ["explain", tool, JSON.stringify(args), "--json"];
      return JSON.parse((await runToycoder(line, { cwd: folder.root })).stdout) as unknown;
    };
    expect(await explain("run_command", { command: "git status -s" })).toEqual({
      decision: "allow",
      rule: "run_command(git status *)",
      reason: "allowed by the rule run_command(git status *)",
      suggestion: null,
      effects: [{ kind: "exec", argv: ["git", "status", "-s"], implied: false, opaque: false }],
    });
    expect(await explain("read_file", { path: "./x/../.env" })).toMatchObject({
      decision: "deny",
      rule: "read:.env*",
    });
    expect(await explain("run_command", { command: "git status && rm -rf x" })).toMatchObject({
      decision: "ask",
      suggestion: "run_command(rm -rf x)",
      effects: [
        { argv: ["git", "status"] },
        { argv: ["rm", "-rf", "x"] },
        { implied: true },
        { implied: true },
      ],
    });
    expect(await explain("write_file", { path: "src/a.ts", content: "" })).toMatchObject({
      decision: "ask",
      suggestion: "write_file(src/a.ts)",
    });
    const told = await runToycoder(["explain", "write_file", '{"path":"b","content":""}'], {
      cwd: folder.root,
    });
    expect(told.stdout).toContain("it would be allowed by the rule write_file(./b)");
  });
});
