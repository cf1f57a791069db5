import { describe, expect, it } from "vitest";
import { decide, exec, opaque, read, write } from "../test-support/decide.ts";
import type { Effect } from "./effect.ts";
import type { Decision } from "./evaluate.ts";
import type { PolicyOptions } from "./policy.ts";

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
    [
      "a denied command by another way to write it",
      "run_command",
      [{ kind: "exec", argv: ["git", "-C", "x", "push"], variants: [["git", "push"]] }],
      { allow: ["run_command"], deny: ["exec:git push *"] },
      "deny",
      "exec:git push *",
    ],
    [
      "an allowed command as written alone",
      "run_command",
      [{ kind: "exec", argv: ["git", "-C", "x", "status"], variants: [["git", "status"]] }],
      { allow: ["run_command(git status)"] },
      "ask",
      null,
    ],
    [
      "the set of reading commands",
      "run_command",
      [{ kind: "exec", argv: ["git", "log"], readOnly: true }],
      { allow: ["shell:read-only"] },
      "allow",
      "shell:read-only",
    ],
    ["no other command", "run_command", [exec("git log")], { allow: ["shell:read-only"] }, "ask", null],
    [
      "no opaque one",
      "run_command",
      [{ ...opaque, readOnly: true } as Effect],
      { allow: ["shell:read-only"] },
      "ask",
      null,
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

describe("several protections of one path", () => {
  it("each need a rule that spells their place out", () => {
    const protect = [".git/", "config"];
    const effects = [write(".git/config")];
    expect(decide("write_file", effects, { protect, allow: ["write:.git/**"] })).toMatchObject({
      decision: "deny",
      rule: "protect:config",
    });
    expect(decide("write_file", effects, { protect, allow: ["write:.git/config"] }).decision).toBe("allow");
  });
});
