import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { hostileStatements } from "./test-support/hostile.ts";
import { benchFor, connectionAs, stateOf } from "./test-support/postgres.ts";

const server = inject("postgres");
const statements = hostileStatements("hostile-postgres");
// What only its role keeps from a statement; PGlite knows one role, that may do everything.
const functions = server.kind === "server" ? hostileStatements("hostile-functions-postgres") : [];
// A role that owns nothing and may write everything: what stops it is the connection alone.
const bench = await benchFor(connectionAs(server, "writer"), { timeoutSeconds: 5 });
let before: string;

afterAll(() => bench[Symbol.dispose]());
beforeAll(async () => {
  before = await stateOf(server);
});

test("there are enough of them", () => {
  expect(statements.length).toBeGreaterThanOrEqual(60);
});

test.each([...statements, ...functions])("refused: %s", async (sql) => {
  const result = await bench.call("query_database", { sql });
  expect(result).toMatchObject({ ok: false });
  const codes = ["statement_refused", "sql_error", "not_permitted"];
  expect(codes).toContain(result.ok ? "" : result.error.code);
});

test.each([
  "SELECT set_config('default_transaction_read_only', 'on', false)",
  "SELECT set_config('statement_timeout', '0', false)",
  "SELECT pg_notify('x', 'y')",
  "SELECT pg_advisory_lock(1)",
  "SELECT lo_from_bytea(0, 'x')",
  "SELECT pg_export_snapshot()",
])("gone with its call: %s", async (sql) => {
  await bench.call("query_database", { sql });
  const [setting, locks] = await Promise.all([
    bench.call("query_database", { sql: "SELECT current_setting('default_transaction_read_only')" }),
    bench.call("query_database", { sql: "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'" }),
  ]);
  expect(setting).toMatchObject({ ok: true, output: { rows: [["off"]] } });
  expect(locks).toMatchObject({ ok: true, output: { rows: [[0]] } });
});

test("rows, sequences, the catalog, roles, settings and locks are as they were", async () => {
  expect(await stateOf(server)).toBe(before);
});

test.each([
  "SELECT 'DELETE FROM customers; DROP TABLE customers'",
  "SELECT name FROM customers WHERE name = 'delete' -- DELETE FROM customers",
  '/* DROP TABLE customers; */ SELECT name AS "update" FROM customers;',
  "WITH RECURSIVE n(a) AS (VALUES (1) UNION ALL SELECT a + 1 FROM n WHERE a < 5) SELECT * FROM n",
  "VALUES (1), (2)",
  "TABLE customers",
  "(SELECT 1) UNION (SELECT 2)",
  "SELECT * FROM big_orders",
  "SELECT $$; DELETE FROM customers$$",
])("not taken for a hostile one: %s", async (sql) => {
  expect(await bench.call("query_database", { sql })).toMatchObject({ ok: true });
});
