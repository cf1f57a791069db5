import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";
import { projectInstructions } from "./project-instructions.ts";

it("takes AGENTS.md from the root down to the folder, the outermost first", () => {
  using workspace = tempWorkspace({
    "AGENTS.md": "root\n",
    "a/AGENTS.md": "inner",
    "a/b/c/x": "",
    "z/AGENTS.md": "z",
  });
  expect(projectInstructions(workspace.root, workspace.path("a/b/c"))).toEqual({
    text: "Instructions of the project:\n\n# AGENTS.md\n\nroot\n\n# a/AGENTS.md\n\ninner",
    notes: [],
  });
  expect(projectInstructions(workspace.root).text).not.toContain("inner");
  expect(projectInstructions(workspace.root, "/").text).toContain("root");
});

it("says nothing where there is none, or an empty one", () => {
  using workspace = tempWorkspace({ "a/AGENTS.md": " \n" });
  expect(projectInstructions(workspace.root, workspace.path("a"))).toEqual({ text: "", notes: [] });
});

it("cuts what is over 32 KB at a whole character, and says so", () => {
  using workspace = tempWorkspace({ "AGENTS.md": `${"x".repeat(32 * 1024 - 2)}€€`, "a/AGENTS.md": "more" });
  const { text, notes } = projectInstructions(workspace.root, workspace.path("a"));
  expect(text.endsWith("x")).toBe(true);
  expect(notes).toEqual([
    "AGENTS.md is cut: 32 KB of instructions are read at most",
    "a/AGENTS.md is cut: 32 KB of instructions are read at most",
  ]);
});

it("leaves out what is no file, links out of the workspace, and what cannot be read", () => {
  using workspace = tempWorkspace({ "real.md": "linked", "in/x": "", "bytes/x": "" });
  using outside = tempWorkspace({ "AGENTS.md": "secret" });
  symlinkSync(outside.path("AGENTS.md"), workspace.path("AGENTS.md"));
  symlinkSync("../real.md", workspace.path("in/AGENTS.md"));
  mkdirSync(workspace.path("in/deep/AGENTS.md"), { recursive: true });
  expect(projectInstructions(workspace.root, workspace.path("in/deep")).text).toBe(
    "Instructions of the project:\n\n# in/AGENTS.md\n\nlinked",
  );
  writeFileSync(workspace.path("bytes/AGENTS.md"), Buffer.from([0x61, 0xff, 0x62]));
  expect(projectInstructions(workspace.root, workspace.path("bytes")).text).toContain("a\u{FFFD}b");
});
