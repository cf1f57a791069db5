import { toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { databasePlugin } from "../index.ts";
import { sqliteWorkspace } from "../test-support/sqlite.ts";

test.each([
  "WITH RECURSIVE n(a, b) AS (VALUES (1, randomblob(1000000)) UNION ALL SELECT a + 1, randomblob(1000000) FROM n) SELECT a FROM n ORDER BY b",
  "WITH RECURSIVE n(a) AS (VALUES (1) UNION SELECT a + 1 FROM n) SELECT count(*) FROM n AS x, n AS y",
])("a statement that eats memory is stopped: %s", async (sql) => {
  using workspace = sqliteWorkspace();
  const plugin = databasePlugin({
    connections: { shop: { type: "sqlite", path: "shop.db" } },
    timeoutSeconds: 300,
  });
  const { tools } = await plugin.setup({ root: workspace.root, secretVariables: [] });
  const result = await toolBench(tools, { root: workspace.root }).call("query_database", { sql });
  expect(result).toMatchObject({ ok: false, error: { code: "out_of_memory" } });
});
