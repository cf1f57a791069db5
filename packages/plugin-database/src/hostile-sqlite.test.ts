import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileStatements } from "./test-support/hostile.ts";
import { ask, folderState, sqliteWorkspace } from "./test-support/sqlite.ts";

const statements = hostileStatements("hostile-sqlite");
const workspace = sqliteWorkspace();
let before: string[];

beforeAll(() => {
  before = folderState(workspace.root);
});
afterAll(() => workspace.dispose());

test("there are enough of them", () => {
  expect(statements.length).toBeGreaterThanOrEqual(60);
});

test.each(statements)("refused: %s", (sql) => {
  const response = ask(workspace, sql);
  expect(response).toMatchObject({ ok: false });
  expect(["statement_refused", "sql_error"]).toContain(response.ok ? "" : response.error.code);
});

test("the file and its folder are as they were, to the byte", () => {
  expect(folderState(workspace.root)).toEqual(before);
});

test.each([
  "SELECT 'DELETE FROM customers; DROP TABLE customers'",
  "SELECT * FROM customers WHERE name = 'delete' -- DELETE FROM customers",
  "/* DROP TABLE customers; */ SELECT name AS 'update' FROM customers;",
  "SELECT replace(name, 'a', 'b') AS \"insert\" FROM customers ; -- done",
  "WITH RECURSIVE n(a) AS (VALUES (1) UNION ALL SELECT a + 1 FROM n LIMIT 5) SELECT * FROM n",
  "VALUES (1), (2)",
  "SELECT * FROM big_orders",
  "SELECT highlight(notes, 0, '[', ']') FROM notes WHERE notes MATCH 'hello'",
  "SELECT * FROM places WHERE low > 1",
  "SELECT sql FROM sqlite_schema",
  "SELECT value FROM json_each('[1, 2]')",
  "EXPLAIN QUERY PLAN SELECT * FROM orders WHERE id = 1",
])("not taken for a hostile one: %s", (sql) => {
  expect(ask(workspace, sql)).toMatchObject({ ok: true });
});
