import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { type ToolResult, textOf } from "@toycoder/core";
import { tempWorkspace, type TempWorkspace, toolBench, type ToolBenchOptions } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import { globSearch, makeGlobSearch } from "./glob-search.ts";

async function call(
  workspace: TempWorkspace,
  args: object,
  policy?: ToolBenchOptions["policy"],
): Promise<ToolResult> {
  return await toolBench([globSearch], { root: workspace.root, ...(policy && { policy }) }).call(
    "glob_search",
    { ...args },
  );
}

const found = async (workspace: TempWorkspace, pattern: string, more: object = {}): Promise<string[]> =>
  textOf((await call(workspace, { pattern, ...more })).content)
    .split("\n")
    .filter((line) => !line.startsWith("[") || !line.endsWith("]"))
    .toSorted();

const empty = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, ""]));

test("newest first, and how many more", async () => {
  using workspace = tempWorkspace(empty("a.ts", "src/b.ts", "c.ts", "d.js"));
  for (const [name, time] of [
    ["a.ts", 1000],
    ["src/b.ts", 3000],
    ["c.ts", 2000],
  ] as const) {
    utimesSync(workspace.path(name), time, time);
  }
  expect(textOf((await call(workspace, { pattern: "**/*.ts" })).content)).toBe(
    "[3 files, newest first]\nsrc/b.ts\nc.ts\na.ts",
  );
  expect(textOf((await call(workspace, { pattern: "*.ts", limit: 1 })).content)).toBe(
    "[3 files, newest first; the first 1, 2 more]\nsrc/b.ts",
  );
  expect(textOf((await call(workspace, { pattern: "*.rs" })).content)).toBe("[no files match *.rs in .]");
});

describe("patterns", () => {
  test("braces, sets, negated sets, folders, any depth", async () => {
    using workspace = tempWorkspace(empty("a.ts", "b.tsx", "x/a.ts", "x/y/c.ts", "lib/a.js"));
    expect(await found(workspace, "*.{ts,tsx}")).toEqual(["a.ts", "b.tsx", "x/a.ts", "x/y/c.ts"]);
    expect(await found(workspace, "./*.ts")).toEqual(["a.ts"]);
    expect(await found(workspace, "x/*.ts")).toEqual(["x/a.ts"]);
    expect(await found(workspace, "x/**")).toEqual(["x/a.ts", "x/y/c.ts"]);
    expect(await found(workspace, "**/[!a].ts*")).toEqual(["b.tsx", "x/y/c.ts"]);
    expect(await found(workspace, "{x,lib}/**/a.*")).toEqual(["lib/a.js", "x/a.ts"]);
    expect(await found(workspace, "a.ts", { path: "x" })).toEqual(["x/a.ts"]);
    expect(await found(workspace, "y/*", { path: "x" })).toEqual(["x/y/c.ts"]);
    expect(await found(workspace, workspace.path("x/*.ts"))).toEqual(["x/a.ts"]);
  });

  test("bracket and group names are found as they are written", async () => {
    const names = ["app/[id].tsx", "app/(group)/page.tsx", "app/[[...slug]]/page.tsx", "app/[id]/page.tsx"];
    using workspace = tempWorkspace(empty(...names));
    for (const name of names) expect(await found(workspace, name)).toEqual([name]);
    expect(await found(workspace, "[id].tsx")).toEqual(["app/[id].tsx"]);
    expect(await found(workspace, "app/[id]/*")).toEqual(["app/[id]/page.tsx"]);
  });

  test("names with spaces, %20, line feeds, CJK in both forms", async () => {
    const names = ["a b%20.md", "漢.md", "u\u0308.md", "\u00FC.md"];
    using workspace = tempWorkspace(empty(...names, "new\nline.md"));
    expect(await found(workspace, "*.md")).toEqual([...names, JSON.stringify("new\nline.md")].toSorted());
    for (const name of names) expect(await found(workspace, name)).toEqual([name]);
  });

  test("case counts, unless it is ignored", async () => {
    using workspace = tempWorkspace(empty("README.md", "Docs/a.MD", "docs.txt", "\u00C4.md"));
    expect(await found(workspace, "readme.md")).toEqual([]);
    expect(await found(workspace, "*.md")).toEqual(["README.md", "\u00C4.md"]);
    expect(await found(workspace, "readme.md", { ignore_case: true })).toEqual(["README.md"]);
    expect(await found(workspace, "docs/*.md", { ignore_case: true })).toEqual(["Docs/a.MD"]);
    expect(await found(workspace, "\u00E4.*", { ignore_case: true })).toEqual(["\u00C4.md"]);
  });

  test("a name that is not UTF-8 is listed, with a word on it", async () => {
    using workspace = tempWorkspace(empty("b.md"));
    execFileSync("sh", ["-c", String.raw`touch "$(printf 'a\377.md')"`], { cwd: workspace.root });
    expect(textOf((await call(workspace, { pattern: "*.md" })).content)).toMatch(
      /^\[2 files, newest first\]\nb\.md\na\uFFFD\.md\n\[1 path with bytes that are not UTF-8/,
    );
  });

  test("a pattern that leads out of its folder is refused", async () => {
    using workspace = tempWorkspace(empty("a"));
    for (const pattern of ["../*", "x/../../a", "/etc/*"]) {
      expect(await call(workspace, { pattern })).toMatchObject({ error: { code: "invalid_pattern" } });
    }
  });
});

describe("dotfiles and ignored files", () => {
  const files = {
    ...empty(
      ".env",
      ".github/ci.yml",
      "a.yml",
      "dist/x.js",
      "dist/sub/y.js",
      "x.log",
      "deep/.env",
      "deep/only.log",
    ),
    ...empty("node_modules/p/i.js", ".git/config", ".venv/lib/a.py"),
    ".gitignore": "dist/\n*.log\n.env\n",
  };

  test("are left out of wildcards", async () => {
    using workspace = tempWorkspace(files);
    expect(await found(workspace, "**/*")).toEqual(["a.yml"]);
    expect(await found(workspace, "*.yml")).toEqual(["a.yml"]);
  });

  test("are found when the pattern names them", async () => {
    using workspace = tempWorkspace(files);
    expect(await found(workspace, ".github/*.yml")).toEqual([".github/ci.yml"]);
    expect(await found(workspace, "**/.github/**")).toEqual([".github/ci.yml"]);
    expect(await found(workspace, ".*")).toEqual([".gitignore"]);
    expect(await found(workspace, "x.log")).toEqual(["x.log"]);
    expect(await found(workspace, "**/only.log")).toEqual(["deep/only.log"]);
    expect(await found(workspace, "**/.env")).toEqual([".env", "deep/.env"]);
    expect(await found(workspace, "dist/*.js")).toEqual(["dist/x.js"]);
    expect(await found(workspace, "dist/**/*.js")).toEqual(["dist/sub/y.js", "dist/x.js"]);
    expect(await found(workspace, "node_modules/p/*")).toEqual(["node_modules/p/i.js"]);
    expect(await found(workspace, "*", { path: ".git" })).toEqual([".git/config"]);
  });
});

describe("bounds", () => {
  test("what read rules deny is hidden and counted, whatever its name", async () => {
    using workspace = tempWorkspace(empty("src/a.ts", "secret/b.ts", "secret/c.ts"));
    const policy = { deny: ["read:secret/**"] };
    const text = async (pattern: string): Promise<string> =>
      textOf((await call(workspace, { pattern }, policy)).content);
    expect(await text("**/*.ts")).toBe(
      "[1 file, newest first]\nsrc/a.ts\n[2 files hidden by permission rules]",
    );
    expect(await text("**/nope")).toContain("[no files match **/nope in .]");
    expect(await text("secret/b.ts")).toContain("[no files match secret/b.ts in .]");
    expect(await text("secret/*")).toContain("[no files match");
  });

  test("folders behind links are not searched, out of the workspace least of all", async () => {
    using workspace = tempWorkspace(empty("real/a.ts"));
    using outside = tempWorkspace(empty("secret.ts"));
    symlinkSync(outside.root, workspace.path("out"));
    symlinkSync("real", workspace.path("in"));
    expect(await found(workspace, "**/*.ts")).toEqual(["real/a.ts"]);
    expect(await found(workspace, "out/*.ts")).toEqual([]);
    expect(await found(workspace, "out/secret.ts")).toEqual([]);
    expect(await found(workspace, "in/*.ts")).toEqual(["in/a.ts"]);
  });

  test("links to files are listed, but for ignored ones and those to what may not be read", async () => {
    using workspace = tempWorkspace({
      ...empty("AGENTS.md", "docs/a.md", "secret/b.txt"),
      ".gitignore": "ign*\n",
    });
    symlinkSync("AGENTS.md", workspace.path("CLAUDE.md"));
    symlinkSync("../AGENTS.md", workspace.path("docs/a b.md"));
    symlinkSync("AGENTS.md", workspace.path("ignored.md"));
    symlinkSync("docs", workspace.path("folder.md"));
    symlinkSync("secret/b.txt", workspace.path("open.md"));
    const policy = { deny: ["read:secret/**"] };
    const result = await call(workspace, { pattern: "*.md" }, policy);
    expect(textOf(result.content).split("\n").toSorted()).toEqual([
      "AGENTS.md",
      "CLAUDE.md",
      "[1 file hidden by permission rules]",
      "[4 files, newest first]",
      "docs/a b.md",
      "docs/a.md",
    ]);
    expect(await found(workspace, "CLAUDE.md")).toEqual(["CLAUDE.md"]);
    expect(await found(workspace, "docs/*b.md")).toEqual(["docs/a b.md"]);
    expect(await found(workspace, "ignored.md")).toEqual(["ignored.md"]);
  });

  test("links to nowhere, in a ring or out of the workspace are counted", async () => {
    using workspace = tempWorkspace(empty("a.ts"));
    using outside = tempWorkspace(empty("secret.ts"));
    symlinkSync("nowhere", workspace.path("dangling.ts"));
    symlinkSync("ring.ts", workspace.path("ring.ts"));
    symlinkSync(outside.path("secret.ts"), workspace.path("out.ts"));
    symlinkSync("nowhere", workspace.path("other.js"));
    const text = async (pattern: string): Promise<string> =>
      textOf((await call(workspace, { pattern })).content);
    const lines = (await text("*.ts")).split("\n");
    expect(lines.slice(0, 2)).toEqual(["[1 file, newest first]", "a.ts"]);
    expect(lines[2]).toContain("[left out: 3 symbolic links to nowhere or out of the workspace: ");
    expect(await text("dangling.ts")).toBe(
      "[no files match dangling.ts in .]\n[left out: 1 symbolic link to nowhere or out of the workspace: dangling.ts]",
    );
    const { content } = await call(workspace, { pattern: "*", path: "dangling.ts" });
    expect(textOf(content)).toContain("the symbolic link dangling.ts leads to nowhere");
  });

  test("a missing root, or a file as root", async () => {
    using workspace = tempWorkspace(empty("f"));
    expect(await call(workspace, { pattern: "*", path: "nope" })).toMatchObject({
      error: { code: "not_found" },
    });
    expect(await call(workspace, { pattern: "*", path: "f" })).toMatchObject({
      error: { code: "not_a_directory" },
    });
    mkdirSync(workspace.path("empty"));
    expect(textOf((await call(workspace, { pattern: "*", path: "empty" })).content)).toBe(
      "[no files match * in empty]",
    );
  });

  test("a failing program is an error, not an empty result", async () => {
    using workspace = tempWorkspace();
    const tool = makeGlobSearch({ ripgrepPath: "/nowhere/rg" });
    const result = await toolBench([tool], { root: workspace.root }).call("glob_search", { pattern: "*" });
    expect(result).toMatchObject({ error: { code: "ripgrep_missing" } });
  });
});
