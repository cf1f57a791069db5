import { describe, expect, it } from "vitest";
import { isSetupError } from "../errors.ts";
import { createPolicy } from "./policy.ts";
import { parseRule } from "./rule.ts";

describe("parseRule", () => {
  it.each([
    ["read_file", "tool"],
    ["github__*", "tool"],
    ["run_command(git status *)", "call"],
    ["write_file(src/**)", "call"],
    ["run_command(echo (a))", "call"],
    ["read:.env*", "effect"],
    ["exec:git push *", "effect"],
    ["net:*.example.com", "effect"],
    ["level:sensitive", "group"],
    ["category:file_io", "group"],
    ["plugin:files", "group"],
    ["mcp:github/search_*", "group"],
    ["shell:read-only", "set"],
    ["toString", "tool"],
    ["__proto__", "tool"],
  ])("%s is a %s rule", (source, kind) => {
    expect(parseRule(source, "/w")).toMatchObject({ kind, source });
  });

  it.each([
    ["", 'rule "", column 1: a rule is not empty and has no space around it'],
    [" read_file", "column 1: a rule is not empty"],
    ["run_command(", "column 13: the ( is not closed"],
    ["run_command()", "column 13: the pattern is empty"],
    ["(git)", "column 1: the name of a tool is missing"],
    ["raed:.env", "column 5: an unknown prefix; known are read:, write:"],
    ["shell:readonly", "column 6: an unknown prefix"],
    ["read:", "column 6: what may be read? A pattern is missing"],
    ["level:high", "column 7: a level is one of safe, sensitive, dangerous"],
    ["category:files", "column 10: a category is one of"],
    ["write:src/[a", "column 11: a [ has no ]"],
    ["run command", "column 4: a tool's name has no such character"],
    ["write_file(a{b)", "column 13: a { has no }"],
  ])("refuses %j with the place", (source, message) => {
    try {
      parseRule(source, "/w");
      expect.unreachable();
    } catch (error) {
      expect(isSetupError(error)).toBe(true);
      expect((error as Error).message).toContain(message);
    }
  });
});

describe("createPolicy", () => {
  it("refuses a protection that cannot be read, with the place", () => {
    expect(() => createPolicy({ root: "/w", protect: ["ok/", "a[b"] })).toThrow(
      'protect "a[b", column 2: a [ has no ]',
    );
  });
});
