import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

test("a new file, its folders made", async () => {
  using workspace = tempWorkspace();
  const { call, changes } = toolBench([writeFile], { root: workspace.root });
  const result = await call("write_file", { path: "a/b/c.txt", content: "one\ntwo" });
  expect(workspace.read("a/b/c.txt")).toBe("one\ntwo");
  expect(textOf(result.content)).toBe(
    "created a/b/c.txt (7 B, 2 lines)\n--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file",
  );
  expect(changes).toMatchObject([{ path: { display: "a/b/c.txt" }, before: null, mode: { after: 0o644 } }]);
  expect(readdirSync(workspace.path("a/b"))).toEqual(["c.txt"]);
});

test("a file that was there: its mode stays, the diff shows the change", async () => {
  using workspace = tempWorkspace({ "run.sh": "a\nb\nc\n" });
  chmodSync(workspace.path("run.sh"), 0o750);
  const { call, changes } = toolBench([writeFile], { root: workspace.root });
  const result = await call("write_file", { path: "run.sh", content: "a\nB\nc\n" });
  expect(statSync(workspace.path("run.sh")).mode & 0o777).toBe(0o750);
  expect(textOf(result.content)).toContain("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c");
  expect(String(changes[0]?.before)).toBe("a\nb\nc\n");
});

test("the same content is not written again", async () => {
  using workspace = tempWorkspace({ f: "x" });
  const { ino } = statSync(workspace.path("f"));
  const { call, changes } = toolBench([writeFile], { root: workspace.root });
  const result = await call("write_file", { path: "f", content: "x" });
  expect(textOf(result.content)).toMatch(/already has this content/);
  expect(statSync(workspace.path("f")).ino).toBe(ino);
  expect(changes).toEqual([]);
});

test("changed since it was read: refused", async () => {
  using workspace = tempWorkspace({ f: "x" });
  const { call } = toolBench([writeFile, readFile], { root: workspace.root });
  await call("read_file", { path: "f" });
  writeFileSync(workspace.path("f"), "y");
  expect(await call("write_file", { path: "f", content: "z" })).toMatchObject({
    error: { code: "stale_file" },
  });
  expect(workspace.read("f")).toBe("y");
});

test("links are written through; what is no file is refused", async () => {
  using workspace = tempWorkspace({ real: "x", "dir/x": "" });
  using outside = tempWorkspace();
  symlinkSync("real", workspace.path("link"));
  symlinkSync("new", workspace.path("dangling"));
  symlinkSync(outside.path("new"), workspace.path("out"));
  execFileSync("mkfifo", [workspace.path("pipe")]);
  const { call } = toolBench([writeFile], { root: workspace.root });
  const tried = async (path: string): Promise<string> => {
    const result = await call("write_file", { path, content: "y" });
    return result.ok ? "ok" : result.error.code;
  };
  expect(await tried("link")).toBe("ok");
  expect(await tried("dangling")).toBe("ok");
  expect([workspace.read("real"), workspace.read("new")]).toEqual(["y", "y"]);
  expect(lstatSync(workspace.path("dangling")).isSymbolicLink()).toBe(true);
  expect(await tried("out")).toBe("outside_workspace");
  expect(readdirSync(outside.root)).toEqual([]);
  expect(await tried("dir")).toBe("is_directory");
  expect(await tried("new/folder/")).toBe("is_directory");
  expect(await tried("pipe")).toBe("not_a_file");
  expect(await tried("real/under")).toBe("not_a_directory");
  expect(await tried("session:x")).toBe("read_only");
  expect(await tried("n".repeat(300))).toBe("invalid_path");
});

test("a binary file may be replaced, a lone surrogate may not be written", async () => {
  using workspace = tempWorkspace({ f: Buffer.from([0, 1, 2]) });
  const { call } = toolBench([writeFile], { root: workspace.root });
  expect(textOf((await call("write_file", { path: "f", content: "x" })).content)).toContain("binary before");
  const half = { path: "f", content: "\uDC00" };
  expect(await call("write_file", half)).toMatchObject({ error: { code: "invalid_text" } });
});

test("an error of the file system leaves nothing behind", async () => {
  using workspace = tempWorkspace({ f: "old" });
  mkdirSync(workspace.path("g"));
  const { call, changes } = toolBench([writeFile], { root: workspace.root });
  // A folder takes the place of the file that was to be written, so the rename fails.
  const result = await call("write_file", { path: "g", content: "x" });
  expect(result.ok).toBe(false);
  expect(changes).toEqual([]);
  expect(readdirSync(workspace.root)).toEqual(["f", "g"]);
});
