import { symlinkSync } from "node:fs";
import { createPolicy, createWorkspace, evaluate } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { expect, test } from "vitest";
import { protectedPaths } from "./protected-paths.ts";
import { SEARCH_PLACES } from "./search-places.ts";

test("git's folder and every config file name, also where there is no config", () => {
  expect(protectedPaths({ folder: "/p" })).toEqual([".git/", ...SEARCH_PLACES]);
});

test("the config file, local plugins and what a glob may come to match cannot be written", () => {
  using workspace = tempWorkspace({ "my[1]/ci.json": "{}", "real.ts": "" });
  symlinkSync(workspace.path("real.ts"), workspace.path("my[1]/linked.ts"));
  const folder = workspace.path("my[1]");
  const protect = protectedPaths({
    file: `${folder}/ci.json`,
    folder,
    plugins: ["files", "./a.ts", ["./linked.ts", {}], ["../tools/*.ts"], "toycoder-plugin-x", false],
  });
  const { root, resolve } = createWorkspace({ root: workspace.root });
  const policy = createPolicy({ root, protect });
  const mayWrite = (file: string): boolean => {
    const tool = { name: "write_file", permission: "safe", category: "file_io" } as const;
    const effects = [{ kind: "write", path: resolve(file), recursive: false, implied: false }] as const;
    return evaluate(policy, { tool, enabled: true, effects }).decision === "allow";
  };
  for (const file of [
    "my[1]/ci.json",
    "my[1]/a.ts",
    "my[1]/linked.ts",
    "real.ts",
    "tools/new.ts",
    "x/toycoder.config.ts",
    ".git/hooks/x",
    "sub/.git",
  ]) {
    expect({ file, mayWrite: mayWrite(file) }).toEqual({ file, mayWrite: false });
  }
  for (const file of ["my[1]/b.ts", "my1/a.ts", "tools/deep/new.ts", "files", ".gitignore", "a.ts"]) {
    expect({ file, mayWrite: mayWrite(file) }).toEqual({ file, mayWrite: true });
  }
});
