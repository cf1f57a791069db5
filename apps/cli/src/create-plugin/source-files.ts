import type { PluginPlan } from "./plugin-plan.ts";

/** The source of a new plugin and its tests: path → text. One tool, with all that a tool should have. */
export function sourceFiles({ name }: PluginPlan): Record<string, string> {
  const { short, snake, camel } = name;
  return {
    "src/count-lines.ts": `import { readFile, stat } from "node:fs/promises";
import { defineTool, fail, type Tool } from "@toycoder/core";
import { z } from "zod";

export interface CountLinesInput {
  path: string;
}

export interface LineCount {
  lines: number;
  empty: number;
}

/** Makes the tool; files over \`maxMegabytes\` are refused. */
export const makeCountLines = (maxMegabytes: number): Tool<CountLinesInput, LineCount> =>
  defineTool({
    name: "${snake}_count_lines",
    description: "Count the lines of a text file in the workspace; returns how many there are, and how many are empty.",
    input: z.object({ path: z.string().min(1).describe("The file, relative to the workspace") }),
    permission: "safe",
    category: "file_io",
    tags: ["lines", "count"],
    // What a call will do, told before it runs: rules for paths are held against it.
    effects: ({ path }) => [{ kind: "read", path }],
    execute: async ({ path }, ctx) => {
      const file = ctx.resolve(path);
      const found = await stat(file.real).catch(() => undefined);
      // An expected failure is returned: the model learns what was wrong, and what to do about it.
      if (found === undefined) return fail("not_found", \`there is no file \${path}\`, { hint: "list the folder first" });
      if (!found.isFile()) return fail("not_a_file", \`\${path} is no file\`);
      if (found.size > maxMegabytes * 1024 * 1024)
        return fail("too_large", \`\${path} has more than \${maxMegabytes} MB\`);
      const text = await readFile(file.real, { encoding: "utf8", signal: ctx.signal });
      const lines = text.split(/\\r?\\n/);
      if (lines.at(-1) === "") lines.pop();
      return { lines: lines.length, empty: lines.filter((line) => line.trim() === "").length };
    },
    toModel: ({ lines, empty }) => \`\${lines} lines, \${empty} of them empty\`,
  });
`,
    "src/plugin.ts": `import { definePlugin, type PluginFactory } from "@toycoder/core";
import { z } from "zod";
import { makeCountLines } from "./count-lines.ts";

/** What a config can say: ["${short}", { maxMegabytes: 50 }]. */
export interface ${capital(camel)}Options {
  /** The largest file that is read. Default 10. */
  maxMegabytes?: number | undefined;
}

/** Brings ${snake}_count_lines. */
export const ${camel}Plugin: PluginFactory<${capital(camel)}Options> = definePlugin({
  name: "${short}",
  version: "0.1.0",
  api: 1,
  options: z.strictObject({ maxMegabytes: z.number().positive().default(10) }),
  setup: ({ maxMegabytes }) => ({ tools: [makeCountLines(maxMegabytes)] }),
});
`,
    "src/index.ts": `export { makeCountLines, type CountLinesInput, type LineCount } from "./count-lines.ts";
export { type ${capital(camel)}Options, ${camel}Plugin, ${camel}Plugin as default } from "./plugin.ts";
`,
    "src/count-lines.test.ts": `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { describeTool, runTool, tempWorkspace } from "@toycoder/testing";
import { makeCountLines } from "./count-lines.ts";

describeTool(
  {
    tool: makeCountLines(1),
    files: { "a.txt": "one\\n\\nthree\\n", "folder/b.txt": "", "large.txt": "x".repeat(2 * 1024 * 1024) },
    examples: [
      { input: { path: "a.txt" } },
      { input: { path: "none.txt" }, fails: "not_found" },
      { input: { path: "folder" }, fails: "not_a_file" },
      { input: { path: "large.txt" }, fails: "too_large" },
      { input: { path: "../a.txt" }, fails: "outside_workspace" },
    ],
    wrong: [{ input: { path: "" }, says: "path" }],
  },
  { describe, test },
);

test("it counts lines, and those that are empty", async () => {
  using workspace = tempWorkspace({ "a.txt": "one\\n\\nthree\\n" });
  const result = await runTool(makeCountLines(1), { path: "a.txt" }, { root: workspace.root });
  assert.ok(result.ok);
  assert.deepEqual(result.output, { lines: 3, empty: 1 });
});
`,
    "src/plugin.test.ts": `import { describe, test } from "node:test";
import { describePlugin } from "@toycoder/testing";
import manifest from "../package.json" with { type: "json" };
import { ${camel}Plugin } from "./plugin.ts";

describePlugin(
  {
    plugin: ${camel}Plugin,
    manifest,
    entry: import.meta.resolve("./index.ts"),
    options: { maxMegabytes: 5 },
    wrongOptions: [{ options: { maxMegabytes: "much" }, path: "maxMegabytes" }],
  },
  { describe, test },
);
`,
  };
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
