import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  type Deprecation,
  describeDependency,
  dispatch,
  textOf,
  type Tool,
  ToolRegistry,
} from "@toycoder/core";
import { writeFile } from "@toycoder/plugin-files";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { generateReport } from "./generate-report.ts";

let workspace: TempWorkspace;
beforeAll(() => {
  workspace = tempWorkspace();
});
afterAll(() => workspace.dispose());

/** A query_database that says which version answered. */
const queryDatabase = (version: string, deprecated: false | Deprecation = false): Tool =>
  defineTool({
    name: "query_database",
    description: "Query a database with SQL; returns columns and rows.",
    input: z.object({ sql: z.string() }),
    version,
    deprecated,
    execute: () => ({
      connection: "test",
      columns: [{ name: "answered by", type: "text" }],
      rows: [[version]],
      rowCount: 1,
      truncated: false,
    }),
  });

/** What a report of one query says. */
async function report(registry: ToolRegistry, more: object = {}): Promise<string> {
  const { root } = workspace;
  const session = createSession({
    registry,
    workspace: createWorkspace({ root }),
    policy: createPolicy({ root, levels: { sensitive: "allow" } }),
  });
  const args = { title: "T", sections: [{ heading: "S", sql: "select 1" }], ...more };
  const result = await dispatch({ id: "1", name: "generate_report", arguments: args }, session);
  session.dispose();
  return textOf(result.content);
}

function registryOf(...tools: Tool[]): ToolRegistry {
  const registry = new ToolRegistry();
  registry.registerMany(tools);
  return registry;
}

const problems = (registry: ToolRegistry): string[] =>
  registry.checkDependencies("generate_report").map(describeDependency);

test("missing: registering is possible, calling says what is missing", async () => {
  const registry = registryOf(generateReport);
  expect(problems(registry)).toEqual([
    "generate_report needs the tool query_database (^1), which is not there",
  ]);
  expect(await report(registry)).toContain(
    "Error (dependency_missing): generate_report needs the tool query_database",
  );
  // It may come later, by another plugin.
  registry.register(queryDatabase("1.0.0"));
  expect(problems(registry)).toEqual([]);
  expect(await report(registry)).toContain("| 1.0.0 |");
});

test("a wrong version is as bad, and is named", async () => {
  const registry = registryOf(generateReport, queryDatabase("2.0.0"));
  expect(problems(registry)).toEqual(["generate_report needs query_database ^1; there is 2.0.0"]);
  expect(await report(registry)).toContain(
    "Error (dependency_missing): generate_report needs query_database ^1; there is 2.0.0",
  );
});

test("an optional tool may be absent: only what needs it fails, and says how to do without", async () => {
  const registry = registryOf(generateReport, queryDatabase("1.0.0"));
  expect(problems(registry)).toEqual([]);
  expect(await report(registry)).toContain("| 1.0.0 |");
  expect(await report(registry, { path: "t.md" })).toMatch(
    /Error \(dependency_missing\): to write a file it needs the tool write_file.*\nHint: leave path out/,
  );
  registry.register(writeFile);
  expect(await report(registry, { path: "t.md" })).toContain("Wrote t.md");
});

test("an optional tool that is there has to have the right version", async () => {
  const { name, description, input, execute } = writeFile;
  const next = defineTool({
    name,
    description,
    input,
    execute: execute as () => string,
    permission: "sensitive",
    version: "2.0.0",
  });
  const registry = registryOf(generateReport, queryDatabase("1.0.0"), next);
  expect(problems(registry)).toEqual(["generate_report needs write_file ^1; there is 2.0.0"]);
});

test("two versions side by side: a model gets the newest, the report the one that it was written for", async () => {
  const registry = registryOf(generateReport, queryDatabase("1.4.0"), queryDatabase("2.0.0"));
  expect(registry.versions("query_database")).toEqual(["1.4.0", "2.0.0"]);
  expect(registry.get("query_database")?.version).toBe("2.0.0");
  expect(problems(registry)).toEqual([]);
  expect(await report(registry)).toContain("| 1.4.0 |");
  // Where the active one fits, it is that one, though a newer one would fit, too.
  registry.register(queryDatabase("1.5.0"));
  registry.activate("query_database", "1.4.0");
  expect(await report(registry)).toContain("| 1.4.0 |");
  registry.activate("query_database", "2.0.0");
  expect(await report(registry)).toContain("| 1.5.0 |");
});

test("rollback: the version before, until somebody chooses again", async () => {
  const registry = registryOf(generateReport, queryDatabase("1.0.0"));
  registry.register(queryDatabase("1.1.0"));
  expect(await report(registry)).toContain("| 1.1.0 |");
  expect(registry.rollback("query_database")).toBe(true);
  expect(await report(registry)).toContain("| 1.0.0 |");
  // A later registration doesn't move it.
  registry.register(queryDatabase("1.2.0"));
  expect(await report(registry)).toContain("| 1.0.0 |");
  expect(registry.rollback("query_database", "1.2.0")).toBe(true);
  expect(await report(registry)).toContain("| 1.2.0 |");
  expect(registry.rollback("query_database", "9.9.9")).toBe(false);
});

test("deprecation: it goes on working, is offered no more, and the report says what replaces it", async () => {
  const deprecated = { replacement: "sql_query", reason: "one tool for all databases" };
  const registry = registryOf(generateReport, queryDatabase("1.0.0", deprecated));
  expect(registry.list().map(({ name }) => name)).toEqual(["generate_report"]);
  expect(problems(registry)).toEqual([]);
  expect(await report(registry)).toMatch(
    /\| 1\.0\.0 \|\nNote: S: query_database is deprecated \(one tool for all databases\); use sql_query instead$/,
  );
});

test("what is not of version 1's shape is refused, whatever its version says", async () => {
  const odd = defineTool({
    name: "query_database",
    description: "Query a database with SQL; returns rows as text.",
    input: z.object({ sql: z.string() }),
    version: "1.9.0",
    execute: () => "1 row",
  });
  expect(await report(registryOf(generateReport, odd))).toContain("Error (unexpected_result)");
});
