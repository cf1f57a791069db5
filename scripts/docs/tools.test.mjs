import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./documents.mjs";
import { builtinTools, withToolTables } from "./tool-tables.mjs";

const page = readFileSync(path.join(root, "docs/tools.md"), "utf8");

test("docs/tools.md has every built-in tool, as it describes itself (else: npm run api)", async () => {
  const named = [...page.matchAll(/<!-- tool (\w+) -->/g)].map(([, name]) => name).sort();
  expect(named).toEqual((await builtinTools()).map(({ name }) => name).sort());
  const formatted = spawnSync("oxfmt", ["--stdin-filepath", "docs/tools.md"], {
    cwd: root,
    input: await withToolTables(page),
    encoding: "utf8",
  });
  expect(formatted.stderr).toBe("");
  expect(formatted.stdout).toBe(page);
});

test("another tool is no tool of ours", async () => {
  await expect(withToolTables("<!-- tool nothing -->\n\nx\n\n<!-- /tool -->")).rejects.toThrow(
    "no built-in tool nothing",
  );
});
