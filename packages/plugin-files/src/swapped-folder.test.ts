import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { type Ask, type ToolResult } from "@toycoder/core";
import { type TempWorkspace, tempWorkspace, toolBench } from "@toycoder/testing";
import { describe, expect, test } from "vitest";
import { anchorFolder } from "./anchored-folder.ts";
import { editFile } from "./edit-file.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

const TOOLS = [readFile, writeFile, editFile];

/** Calls a tool; between the judgement of the call and its execution, `swap` runs. */
async function callWhile(
  workspace: TempWorkspace,
  name: string,
  args: object,
  swap: () => void,
): Promise<ToolResult> {
  const ask: Ask = {
    approval: () => {
      swap();
      return Promise.resolve("once");
    },
  };
  const policy = { levels: { safe: "ask", sensitive: "ask" } } as const;
  return await toolBench(TOOLS, { root: workspace.root, ask, policy }).call(name, { ...args });
}

describe("a folder that is swapped for a link after the call was judged", () => {
  test.each([
    ["write_file", { path: "a/b/f.txt", content: "new" }],
    ["write_file", { path: "a/b/new.txt", content: "new" }],
    ["write_file", { path: "a/b/c/d/new.txt", content: "new" }],
    ["edit_file", { path: "a/b/f.txt", old_string: "secret", new_string: "new" }],
    ["read_file", { path: "a/b/f.txt" }],
  ])("%s %j does nothing outside", async (name, args) => {
    for (const folder of ["a", "a/b"]) {
      using workspace = tempWorkspace({ "a/b/f.txt": "inside secret\n" });
      using outside = tempWorkspace({ "f.txt": "secret\n", "b/f.txt": "secret\n" });
      const result = await callWhile(workspace, name, args, () => {
        renameSync(workspace.path(folder), workspace.path("away"));
        symlinkSync(outside.root, workspace.path(folder));
      });
      expect(result).toMatchObject({ ok: false });
      expect(JSON.stringify(result)).not.toContain("1: secret");
      expect([readdirSync(outside.root).sort(), readdirSync(outside.path("b"))]).toEqual([
        ["b", "f.txt"],
        ["f.txt"],
      ]);
      expect([outside.read("f.txt"), outside.read("b/f.txt")]).toEqual(["secret\n", "secret\n"]);
    }
  });
});

describe("a file that is swapped for a link after the call was judged", () => {
  test("is replaced itself, or the write is refused; the link's target stays", async () => {
    using workspace = tempWorkspace({ "f.txt": "inside\n" });
    using outside = tempWorkspace({ target: "secret\n" });
    await callWhile(workspace, "write_file", { path: "f.txt", content: "new" }, () => {
      renameSync(workspace.path("f.txt"), workspace.path("away"));
      symlinkSync(outside.path("target"), workspace.path("f.txt"));
    });
    expect(outside.read("target")).toBe("secret\n");
  });
});

describe("anchorFolder", () => {
  test("makes what is missing, and stays in its folder whatever becomes of the names", async () => {
    using workspace = tempWorkspace();
    using outside = tempWorkspace();
    const folder = await anchorFolder(workspace.path("a/b"));
    renameSync(workspace.path("a"), workspace.path("moved"));
    symlinkSync(outside.root, workspace.path("a"));
    mkdirSync(folder.at("made"));
    await folder.close();
    expect(readdirSync(workspace.path("moved/b"))).toEqual(["made"]);
    expect(readdirSync(outside.root)).toEqual([]);
  });

  test("refuses a path with a link in it, and a file for a folder", async () => {
    using workspace = tempWorkspace({ file: "x", "real/x": "" });
    symlinkSync("real", workspace.path("link"));
    await expect(anchorFolder(workspace.path("link"))).rejects.toMatchObject({ code: "changed_path" });
    await expect(anchorFolder(workspace.path("link/new"))).rejects.toMatchObject({ code: "changed_path" });
    await expect(anchorFolder(workspace.path("file/new"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});
