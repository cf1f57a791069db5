import { mkdirSync } from "node:fs";
import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import { globSearch } from "./glob-search.ts";
import { grepSearch } from "./grep-search.ts";
import { lowerRule } from "./parent-rules.ts";

/** What both tools find: they must agree. */
async function found(root: string, path = "."): Promise<string[]> {
  const { call } = toolBench([globSearch, grepSearch], { root });
  const lines = async (name: string, args: Record<string, unknown>): Promise<string[]> =>
    textOf((await call(name, { ...args, path })).content)
      .split("\n")
      .slice(1)
      .toSorted();
  const listed = await lines("glob_search", { pattern: "**/*" });
  expect(await lines("grep_search", { pattern: "x", output_mode: "files" })).toEqual(listed);
  return listed;
}

const files = {
  "w/a.log": "x",
  "w/b.tmp": "x",
  "w/c": "x",
  "w/sub/d.log": "x",
  "w/sub/e": "x",
  "w/sub/deep/f": "x",
};

describe("rules above the workspace", () => {
  test("count for nothing outside of a repository", async () => {
    using outer = tempWorkspace({
      ...files,
      ".gitignore": "*.log\n",
      ".ignore": "c\n",
      "w/.gitignore": "*.tmp\n/sub/e\n",
    });
    expect(await found(outer.path("w"))).toEqual(["a.log", "c", "sub/d.log", "sub/deep/f"]);
    expect(await found(outer.path("w"), "sub")).toEqual(["sub/d.log", "sub/deep/f"]);
    const { call } = toolBench([globSearch], { root: outer.path("w") });
    expect(textOf((await call("glob_search", { pattern: "e", path: "sub" })).content)).toContain("\nsub/e");
  });

  test("count from the repository's root down", async () => {
    using outer = tempWorkspace({
      ...files,
      ".gitignore": "*.log\n/w/sub/deep/\n",
      "w/.gitignore": "*.tmp\n",
    });
    mkdirSync(outer.path(".git"));
    expect(await found(outer.path("w"))).toEqual(["c", "sub/e"]);
    expect(await found(outer.path("w"), "sub")).toEqual(["sub/e"]);
  });

  test("and no further up", async () => {
    const rules = { ".ignore": "c\n", "repo/.gitignore": "*.log\n/w/b.tmp\n" };
    const inner = Object.fromEntries(Object.entries(files).map(([name, text]) => [`repo/${name}`, text]));
    using outer = tempWorkspace({ ...inner, ...rules });
    mkdirSync(outer.path("repo/.git"));
    expect(await found(outer.path("repo/w"))).toEqual(["c", "sub/deep/f", "sub/e"]);
    expect(await found(outer.path("repo/w"), "sub")).toEqual(["sub/deep/f", "sub/e"]);
  });
});

test.each([
  ["*.log", ["*.log"]],
  ["dist/", ["dist/"]],
  ["/a/b/x", ["/x"]],
  ["!a/b/x/", ["!/x/"]],
  ["a/*/x", ["/x"]],
  ["a/**/x", ["/**/x"]],
  ["**/b/x", ["/**/b/x", "/x"]],
  ["a/c/x", []],
  ["a/b", []],
  ["/a", []],
  ["a/b/**", ["/**"]],
  ["# a/b/x", []],
  ["a/b/x  ", ["/x"]],
])("the rule %j, two folders down", (rule, expected) => {
  expect(lowerRule(rule, ["a", "b"]).toSorted()).toEqual(expected.toSorted());
});
