import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Effect, resolveEffects } from "./effect.ts";
import { type Decision, evaluate } from "./evaluate.ts";
import type { ToolFacts } from "./match.ts";
import { createPolicy, type PolicyOptions } from "./policy.ts";
import { createWorkspace } from "./workspace.ts";

const base = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-evaluate-")));
const root = path.join(base, "w");
mkdirSync(path.join(root, "src"), { recursive: true });
writeFileSync(path.join(root, ".env"), "KEY=1");
symlinkSync(".env", path.join(root, "harmless.txt"));
symlinkSync("../outside", path.join(root, "link"));
symlinkSync(".git", path.join(root, "gitlink"));
mkdirSync(path.join(root, ".git"));
afterAll(() => rmSync(base, { recursive: true }));

const TOOLS: Record<string, ToolFacts> = {
  read_file: { name: "read_file", permission: "safe", category: "file_io", plugin: "files" },
  write_file: { name: "write_file", permission: "sensitive", category: "file_io", plugin: "files" },
  run_command: { name: "run_command", permission: "dangerous", category: "execution", plugin: "shell" },
  plain: { name: "plain", permission: "sensitive", category: "utility" },
  gh__search: { name: "gh__search", permission: "sensitive", category: "utility", mcp: "github/search_code" },
};

const workspace = createWorkspace({ root });
const read = (path: string, more = {}): Effect => ({ kind: "read", path, ...more });
const write = (path: string, more = {}): Effect => ({ kind: "write", path, ...more });
const exec = (command: string): Effect => ({ kind: "exec", argv: command.split(" ") });
const opaque: Effect = {
  kind: "exec",
  argv: ["git status && rm -rf x"],
  opaque: true,
  reason: "several commands",
};

function decide(
  tool: string,
  effects: readonly Effect[],
  policy: Omit<PolicyOptions, "root"> = {},
  more: { enabled?: boolean; approvals?: readonly string[] } = {},
): Decision {
  const parsed = createPolicy({ root, ...policy });
  return evaluate(parsed, {
    tool: TOOLS[tool]!,
    enabled: more.enabled ?? true,
    effects: resolveEffects(effects, workspace.resolve),
    approvals: createPolicy({ root, allow: more.approvals ?? [] }).allow,
  });
}

describe("evaluate, in the order of its steps", () => {
  type Row = [
    string,
    string,
    readonly Effect[],
    Omit<PolicyOptions, "root">,
    Decision["decision"],
    string | null,
  ];
  const rows: Row[] = [
    ["a safe read", "read_file", [read("src/a.ts")], {}, "allow", null],
    ["a sensitive write", "write_file", [write("src/a.ts")], {}, "ask", null],
    ["an enabled dangerous tool", "run_command", [exec("ls")], {}, "ask", null],
    [
      "dangerous set to allow",
      "run_command",
      [exec("ls")],
      { levels: { dangerous: "allow" } },
      "allow",
      null,
    ],
    ["sensitive set to deny", "plain", [], { levels: { sensitive: "deny" } }, "deny", null],
    ["a tool rule", "plain", [], { allow: ["plain"] }, "allow", "plain"],
    ["a glob of names", "gh__search", [], { allow: ["gh__*"] }, "allow", "gh__*"],
    ["a group: level", "plain", [], { allow: ["level:sensitive"] }, "allow", "level:sensitive"],
    ["a group: plugin", "write_file", [write("a")], { allow: ["plugin:files"] }, "allow", "plugin:files"],
    ["a group: mcp", "gh__search", [], { allow: ["mcp:github/search_*"] }, "allow", "mcp:github/search_*"],
    ["no group for others", "plain", [], { allow: ["mcp:github/*"] }, "ask", null],
    ["deny beats allow", "plain", [], { allow: ["plain"], deny: ["plain"] }, "deny", "plain"],
    ["ask beats allow", "plain", [], { allow: ["plain"], ask: ["plain"] }, "ask", "plain"],
    ["a denied read", "read_file", [read(".env")], { deny: ["read:.env*"] }, "deny", "read:.env*"],
    ["… at any depth", "read_file", [read("a/b/.env.x")], { deny: ["read:.env*"] }, "deny", "read:.env*"],
    ["… through ..", "read_file", [read("src/../.env")], { deny: ["read:.env*"] }, "deny", "read:.env*"],
    ["… through a link", "read_file", [read("harmless.txt")], { deny: ["read:.env*"] }, "deny", "read:.env*"],
    [
      "… by its link's name",
      "read_file",
      [read("harmless.txt")],
      { deny: ["read:harmless*"] },
      "deny",
      "read:harmless*",
    ],
    ["… in a named folder", "read_file", [read("keys/a/b")], { deny: ["read:keys"] }, "deny", "read:keys"],
    [
      "… above it, recursive",
      "run_command",
      [exec("grep -r K ."), read(".", { recursive: true, implied: true })],
      { deny: ["read:.env*"], allow: ["run_command"] },
      "deny",
      "read:.env*",
    ],
    ["a folder above, not recursive", "read_file", [read(".")], { deny: ["read:.env*"] }, "allow", null],
    ["outside", "read_file", [read("../x")], {}, "deny", null],
    [
      "outside through a link",
      "write_file",
      [write("link/new.txt")],
      { allow: ["write_file"] },
      "deny",
      null,
    ],
    [
      "outside, a rule of any depth lifts nothing",
      "read_file",
      [read("../x")],
      { allow: ["read:x"] },
      "deny",
      null,
    ],
    ["outside, named", "read_file", [read("../x")], { allow: ["read:../x"] }, "allow", "read:../x"],
    [
      "outside, named for reading only",
      "write_file",
      [write("../x")],
      { allow: ["read:../x", "write_file"] },
      "deny",
      null,
    ],
    [
      "outside, implied",
      "run_command",
      [exec("cat /etc/hosts"), read("/etc/hosts", { implied: true })],
      { allow: ["run_command"] },
      "ask",
      null,
    ],
    [
      "protected",
      "write_file",
      [write(".git/config")],
      { allow: ["write_file", "write:**"], protect: [".git/"] },
      "deny",
      "protect:.git/",
    ],
    [
      "protected through a link",
      "write_file",
      [write("gitlink/config")],
      { allow: ["write_file"], protect: [".git/"] },
      "deny",
      "protect:.git/",
    ],
    [
      "protected beneath a recursive write",
      "run_command",
      [exec("rm -r ."), write(".", { recursive: true, implied: true })],
      { allow: ["run_command"], protect: [".git/"] },
      "deny",
      "protect:.git/",
    ],
    [
      "protected, spelt out",
      "write_file",
      [write(".git/config")],
      { allow: ["write:.git/config"], protect: [".git/"] },
      "allow",
      "write:.git/config",
    ],
    [
      "protected, not the place itself",
      "write_file",
      [write(".git/config")],
      { allow: ["write:.git/hooks/*"], protect: [".git/"] },
      "deny",
      "protect:.git/",
    ],
    ["reading what is protected", "read_file", [read(".git/config")], { protect: [".git/"] }, "allow", null],
    ["opaque under a tool rule", "run_command", [opaque], { allow: ["run_command"] }, "allow", "run_command"],
    [
      "opaque beside effect denials",
      "run_command",
      [opaque],
      { allow: ["run_command"], deny: ["read:.env*"] },
      "ask",
      null,
    ],
    [
      "opaque is no command's pattern",
      "run_command",
      [opaque],
      { allow: ["run_command(git status *)", "run_command(*)"] },
      "ask",
      null,
    ],
    [
      "a command's words",
      "run_command",
      [exec("git status -s")],
      { allow: ["run_command(git status *)"] },
      "allow",
      "run_command(git status *)",
    ],
    [
      "a trailing * matches nothing",
      "run_command",
      [exec("git status")],
      { allow: ["run_command(git status *)"] },
      "allow",
      "run_command(git status *)",
    ],
    ["whole words", "run_command", [exec("gitk status")], { allow: ["run_command(git *)"] }, "ask", null],
    [
      "no further words",
      "run_command",
      [exec("git status -s")],
      { allow: ["run_command(git status)"] },
      "ask",
      null,
    ],
    [
      "a * in the middle takes a word",
      "run_command",
      [exec("git push a main")],
      { deny: ["exec:git push * main"] },
      "deny",
      "exec:git push * main",
    ],
    [
      "a denied command by its folder",
      "run_command",
      [exec("/usr/bin/git push")],
      { allow: ["run_command"], deny: ["exec:git push *"] },
      "deny",
      "exec:git push *",
    ],
    [
      "an allowed command by its folder",
      "run_command",
      [exec("/tmp/git status")],
      { allow: ["run_command(git status)"] },
      "ask",
      null,
    ],
    [
      "every effect must be covered",
      "run_command",
      [exec("ls"), exec("rm x")],
      { allow: ["run_command(ls *)"] },
      "ask",
      null,
    ],
    [
      "by several rules",
      "run_command",
      [exec("ls"), exec("rm x")],
      { allow: ["run_command(ls *)", "run_command(rm x)"] },
      "allow",
      "run_command(ls *)",
    ],
    [
      "reads inside need no rule",
      "run_command",
      [exec("ls src"), read("src")],
      { allow: ["run_command(ls *)"] },
      "allow",
      "run_command(ls *)",
    ],
    ["no effect is not every effect", "plain", [], { allow: ["plain(*)"] }, "ask", null],
    [
      "a network host",
      "plain",
      [{ kind: "net", host: "API.example.com" }],
      { allow: ["net:*.example.com"] },
      "allow",
      "net:*.example.com",
    ],
    [
      "another host",
      "plain",
      [{ kind: "net", host: "example.com.evil.org" }],
      { allow: ["net:*.example.com"] },
      "ask",
      null,
    ],
    [
      "a write by its path",
      "write_file",
      [write("src/deep/a.ts")],
      { allow: ["write_file(src/**)"] },
      "allow",
      "write_file(src/**)",
    ],
    [
      "allow goes by the real path",
      "write_file",
      [write("harmless.txt")],
      { allow: ["write_file(harmless.txt)"] },
      "ask",
      null,
    ],
    [
      "a recursive write needs a recursive rule",
      "plain",
      [write("src", { recursive: true })],
      { allow: ["write:src"] },
      "ask",
      null,
    ],
    [
      "and is covered by one",
      "plain",
      [write("src", { recursive: true })],
      { allow: ["write:src/**"] },
      "allow",
      "write:src/**",
    ],
    ["a rule called like a method", "plain", [], { allow: ["toString", "constructor"] }, "ask", null],
  ];
  it.each(rows)("%s", (_, tool, effects, policy, decision, rule) => {
    const result = decide(tool, effects, policy);
    expect({ decision: result.decision, rule: result.rule }).toEqual({ decision, rule });
  });

  it("says disabled before all else, with the rule that would allow", () => {
    const result = decide("run_command", [exec("npm test")], { deny: ["run_command"] }, { enabled: false });
    expect(result).toMatchObject({ decision: "disabled", suggestion: "run_command(npm test)" });
  });

  it("tells a bound from a denial", () => {
    expect(decide("read_file", [read("../x")]).code).toBe("outside_workspace");
    expect(decide("read_file", [read("x")], { deny: ["read:x"] }).code).toBe("permission_denied");
  });
});

describe("approvals of the session", () => {
  it("answer what would be asked, an ask rule's question too", () => {
    const approvals = ["run_command(git push)"];
    const policy = { ask: ["exec:git push *"] };
    expect(decide("run_command", [exec("git push")], policy, { approvals }).decision).toBe("allow");
    expect(decide("run_command", [exec("git push -f")], policy, { approvals }).decision).toBe("ask");
  });

  it("lift no denial", () => {
    const approvals = ["run_command"];
    expect(decide("run_command", [exec("rm x")], { deny: ["exec:rm *"] }, { approvals }).decision).toBe(
      "deny",
    );
  });
});

describe("suggestions", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !text.includes("\0"));

  it("allow the call when added, whatever its words", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (argv) => {
        const effects: Effect[] = [{ kind: "exec", argv }];
        const asked = decide("run_command", effects);
        expect(asked.suggestion).not.toBeNull();
        expect(decide("run_command", effects, { allow: asked.suggestions }).decision).toBe("allow");
      }),
      { seed: 11 },
    );
  });

  it("allow that file alone, whatever its name", () => {
    const name = word.filter((text) => !text.includes("/") && text !== "." && text !== "..");
    fc.assert(
      fc.property(name, (file) => {
        const asked = decide("write_file", [write(`./${file}`)]);
        const policy = { allow: asked.suggestions };
        expect(decide("write_file", [write(`./${file}`)], policy).decision).toBe("allow");
        expect(decide("write_file", [write(`sub/${file}`)], policy).decision).toBe("ask");
      }),
      { seed: 13 },
    );
  });

  it("name each uncovered effect", () => {
    const { suggestion, suggestions } = decide("run_command", [exec("ls"), exec("rm x")], {
      allow: ["exec:ls"],
    });
    expect([suggestion, suggestions]).toEqual(["run_command(rm x)", ["run_command(rm x)"]]);
  });
});
