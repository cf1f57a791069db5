import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { type DatabaseOptions, databasePlugin } from "../index.ts";
import { folderState, sqliteWorkspace } from "../test-support/sqlite.ts";
import { askChild } from "./ask-child.ts";

const SHOP = { shop: { type: "sqlite", path: "shop.db" } } as const;
const ENDLESS = "WITH RECURSIVE n(a) AS (VALUES (1) UNION ALL SELECT a + 1 FROM n) SELECT count(*) FROM n";

async function bench(
  root: string,
  options: DatabaseOptions = { connections: SHOP },
  policy?: { deny: string[] },
) {
  const { tools } = await databasePlugin(options).setup({ root, secretVariables: [] });
  return toolBench(tools, { root, ...(policy && { policy }) });
}

test("rows come as JSON, a line each", async () => {
  using workspace = sqliteWorkspace();
  const { call } = await bench(workspace.root);
  const result = await call("query_database", {
    sql: "SELECT id, name FROM customers WHERE id < ?",
    params: [3],
  });
  expect(result).toMatchObject({
    ok: true,
    output: {
      connection: "shop",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "TEXT" },
      ],
      rows: [
        [1, "Ada"],
        [2, "Grace"],
      ],
      rowCount: 2,
      truncated: false,
    },
  });
  const shown = textOf(result.content);
  expect(shown.split("\n").slice(1, 3)).toEqual(['[1,"Ada"],', '[2,"Grace"]']);
  expect(JSON.parse(shown)).toEqual(result.ok ? result.output : undefined);
});

test("an endless statement is stopped at the time limit", async () => {
  using workspace = sqliteWorkspace();
  const { call } = await bench(workspace.root, { connections: SHOP, timeoutSeconds: 0.3001 });
  const result = await call("query_database", { sql: ENDLESS });
  expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
});

test("an abort ends the process that reads", async () => {
  using workspace = sqliteWorkspace();
  const abort = new AbortController();
  const question = {
    file: workspace.path("shop.db"),
    query: { sql: ENDLESS, params: [], maxRows: 1, maxBytes: 1000 },
  };
  const scope = {
    signal: abort.signal,
    timeoutSeconds: 60,
    credentials: {},
    resolve: () => expect.unreachable(),
  };
  const asked = askChild(question, scope);
  abort.abort();
  await expect(asked).rejects.toMatchObject({ code: "cancelled" });
});

test("the end of the run stops what still runs", async () => {
  using workspace = sqliteWorkspace();
  const { tools, dispose } = await databasePlugin({ connections: SHOP }).setup({
    root: workspace.root,
    secretVariables: [],
  });
  const pending = toolBench(tools, { root: workspace.root }).call("query_database", { sql: ENDLESS });
  await new Promise((resolve) => setImmediate(resolve));
  await dispose?.();
  expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
});

test("the workspace and its rules hold for the file", async () => {
  using outside = sqliteWorkspace();
  using workspace = tempWorkspace();
  const before = folderState(outside.root);
  const options: DatabaseOptions = {
    connections: { shop: { type: "sqlite", path: outside.path("shop.db") } },
  };
  const away = await bench(workspace.root, options);
  expect(await away.call("query_database", { sql: "SELECT 1" })).toMatchObject({
    ok: false,
    error: { code: "outside_workspace" },
  });
  const denied = await bench(outside.root, undefined, { deny: ["read:*.db"] });
  for (const [tool, args] of [
    ["query_database", { sql: "SELECT 1" }],
    ["describe_database", {}],
  ] as const) {
    expect(await denied.call(tool, args)).toMatchObject({ ok: false, error: { code: "permission_denied" } });
  }
  expect(folderState(outside.root)).toEqual(before);
});
