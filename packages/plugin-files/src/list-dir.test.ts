import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { textOf } from "@toycoder/core";
import { runTool, tempWorkspace, toolBench, type ToolBenchOptions } from "@toycoder/testing";
import { expect, test } from "vitest";
import { listDir } from "./list-dir.ts";

async function list(root: string, args: object = {}, policy?: ToolBenchOptions["policy"]): Promise<string> {
  return textOf((await runTool(listDir, { ...args }, { root, ...(policy && { policy }) })).content);
}

test("folders first, sizes, ignored entries counted", async () => {
  using workspace = tempWorkspace({
    "b.txt": "x".repeat(1300),
    "a.txt": "",
    "z/inner": "",
    "x.log": "",
    "node_modules/p/index.js": "",
    ".gitignore": "*.log\n",
    "[id].tsx": "12",
  });
  expect(await list(workspace.root)).toBe(
    "[. · 5 entries · 2 ignored left out]\nz/\n.gitignore  6 B\n[id].tsx  2 B\na.txt  0 B\nb.txt  1.3 KB",
  );
});

test("depth shows what is in folders, with rules of each level", async () => {
  using workspace = tempWorkspace({
    "a/b/c/deep": "",
    "a/one.tmp": "",
    "a/two.tmp": "",
    "a/.gitignore": "*.tmp\n!two.tmp\n/b/skipped\n",
    "a/b/skipped": "",
    "a/b/d": "",
    "dist/x": "",
    ".gitignore": "dist/\n",
  });
  expect(await list(workspace.root, { depth: 3 })).toBe(
    [
      "[. · 7 entries · 3 ignored left out]",
      "a/",
      "  b/",
      "    c/",
      "    d  0 B",
      "  .gitignore  26 B",
      "  two.tmp  0 B",
      ".gitignore  6 B",
    ].join("\n"),
  );
  expect(await list(workspace.root, { path: "a/b" })).toContain("1 ignored left out");
});

test("an ignored folder that is named is shown", async () => {
  using workspace = tempWorkspace({ ".gitignore": "dist/\n", "dist/x.js": "", "node_modules/p/i.js": "" });
  expect(await list(workspace.root, { path: "dist" })).toBe("[dist · 1 entry]\nx.js  0 B");
  expect(await list(workspace.root, { path: "node_modules/p" })).toBe(
    "[node_modules/p · 1 entry]\ni.js  0 B",
  );
});

test("a named folder is judged by the rules for what is in it", async () => {
  using workspace = tempWorkspace({
    ".gitignore": "dist/\n*.log\n/other/deep/x\n",
    "dist/x.js": "",
    "dist/x.log": "",
    "dist/sub/y.js": "",
    "other/deep/x": "",
    "other/deep/[y]": "",
  });
  expect(await list(workspace.root, { path: "dist", depth: 2 })).toBe(
    "[dist · 3 entries · 1 ignored left out]\nsub/\n  y.js  0 B\nx.js  0 B",
  );
  expect(await list(workspace.root, { path: "other/deep" })).toBe(
    "[other/deep · 1 entry · 1 ignored left out]\n[y]  0 B",
  );
});

test("rules above the workspace count from the repository's root down, and not without one", async () => {
  const files = { "w/a.log": "", "w/b.tmp": "", "w/c": "", "w/sub/d.log": "" };
  using outer = tempWorkspace({
    ...files,
    ".gitignore": "*.log\n",
    ".ignore": "c\n",
    "w/.gitignore": "*.tmp\n",
  });
  const names = async (root: string, path = "."): Promise<string[]> =>
    (await list(root, { path, depth: 2 }))
      .split("\n")
      .slice(1)
      .map((line) => line.replace(/ {2}\d.*/, "").trim());
  expect(await names(outer.path("w"))).toEqual(["sub/", "d.log", ".gitignore", "a.log", "c"]);
  execFileSync("mkdir", [outer.path(".git")]);
  expect(await names(outer.path("w"))).toEqual(["sub/", ".gitignore"]);
  expect(await names(outer.path("w"), "sub")).toEqual([]);
});

test(".ignore outdoes .gitignore, wherever it is", async () => {
  using workspace = tempWorkspace({
    ".ignore": "!a.log\n",
    "s/.gitignore": "*.log\n",
    "s/a.log": "",
    "s/b.log": "",
  });
  expect(await list(workspace.root, { path: "s" })).toContain("\na.log  0 B");
  expect(await list(workspace.root, { path: "s" })).not.toContain("b.log");
});

test("what read rules deny is hidden and counted", async () => {
  using workspace = tempWorkspace({ ".env": "", "secret/key": "", "src/.env.local": "", "src/a.ts": "" });
  symlinkSync("secret/key", workspace.path("link"));
  const policy = { deny: ["read:.env*", "read:secret/**"] };
  expect(await list(workspace.root, { depth: 3 }, policy)).toBe(
    "[. · 2 entries · 4 hidden by permission rules]\nsrc/\n  a.ts  0 B",
  );
  expect(await list(workspace.root, { path: "secret" }, policy)).toContain("permission_denied");
});

test("links, FIFOs and names with control characters keep to one line", async () => {
  using workspace = tempWorkspace({ "dir/x": "", "new\nline": "" });
  using outside = tempWorkspace();
  symlinkSync("dir/x", workspace.path("in"));
  symlinkSync(outside.root, workspace.path("out"));
  symlinkSync("nowhere", workspace.path("dangling"));
  symlinkSync("circle", workspace.path("circle"));
  execFileSync("mkfifo", [workspace.path("pipe")]);
  expect((await list(workspace.root)).split("\n").slice(1)).toEqual([
    "dir/",
    "circle -> (a circle of links)",
    "dangling -> nowhere",
    "in -> dir/x",
    '"new\\nline"  0 B',
    "out -> (outside of the workspace)",
    "pipe (FIFO)",
  ]);
});

test("a large folder is cut, near levels first", async () => {
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${1000 + index}`, ""]));
  using workspace = tempWorkspace({ ...files, "sub/x": "" });
  const text = await list(workspace.root, { depth: 2 });
  expect(text).toMatch(/^\[\. · 400 entries\]\nsub\/\n {2}… 1 more\nf1000 /);
  expect(text).toMatch(/\n… 101 more$/);
});

test("missing folders, files and an empty folder", async () => {
  using workspace = tempWorkspace({ "source/x": "", f: "" });
  const bench = toolBench([listDir], { root: workspace.root });
  expect(await bench.call("list_dir", { path: "sorce" })).toMatchObject({
    error: { code: "not_found", hint: "did you mean source?" },
  });
  expect(await bench.call("list_dir", { path: "f" })).toMatchObject({ error: { code: "not_a_directory" } });
  execFileSync("mkdir", [workspace.path("empty")]);
  expect(textOf((await bench.call("list_dir", { path: "empty" })).content)).toBe("[empty · empty folder]");
});
