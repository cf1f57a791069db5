import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./documents.mjs";

// The findings of `plugin check` are in docs/writing-plugins.md; other plugins tell their own codes in their READMEs.
const sources = globSync(
  [
    "packages/{core,agent,config,mcp,plugin-{files,search,shell,question},provider-*}/src/**/*.ts",
    "apps/cli/src/**/*.ts",
  ],
  { cwd: root },
)
  .filter((file) => !/\.test|test-support|plugin-check|create-plugin|render\/github/.test(file))
  .map((file) => readFileSync(path.join(root, file), "utf8"))
  .join("\n");

/** The codes that the sources give to an error or a notice where they make it. */
const made = new Set(
  [
    ...sources.matchAll(
      /\b(?:ToolError|SetupError|ModelError|errorInfo|fail|limit|tell)\(\s*"([a-z]+(?:_[a-z]+)*)"/g,
    ),
  ].map(([, code]) => code),
);

/** The codes in the first column of a page's tables. */
const told = [
  ...readFileSync(path.join(root, "docs/troubleshooting.md"), "utf8").matchAll(
    /^\| (`[a-z_`, ()\d]+?) +\|/gm,
  ),
]
  .flatMap(([, cell]) => [...cell.matchAll(/`([a-z_]+)`/g)])
  .map(([, code]) => code);

test("docs/troubleshooting.md has every error code", () => {
  expect(made.size).toBeGreaterThan(70);
  expect([...made].filter((code) => !told.includes(code)).sort()).toEqual([]);
});

test("docs/troubleshooting.md has no code that is not there", () => {
  expect(told.filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
});
