import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { ask, folderState, sqliteWorkspace } from "../test-support/sqlite.ts";
import { answer } from "./answer.ts";
import { requireAuthorizer } from "./read-database.ts";

const query = { sql: "SELECT count(*) FROM customers", params: [], maxRows: 10, maxBytes: 10_000 };

describe("values", () => {
  const workspace = sqliteWorkspace();
  afterAll(() => workspace.dispose());
  const one = (sql: string, params: (string | number | boolean | null)[] = []): unknown => {
    const response = ask(workspace, sql, params);
    return response.ok && "rows" in response.value ? response.value.rows[0] : response;
  };

  test.each([
    [
      "integers, exact beyond 2^53",
      "SELECT 1, -9007199254740991, 9007199254740993",
      [1, -9007199254740991, "9007199254740993"],
    ],
    ["floating point", "SELECT 1.5, 1e999, -1e999", [1.5, "Infinity", "-Infinity"]],
    ["texts", "SELECT 'é😀', '', char(0)", ["é😀", "", "\0"]],
    [
      "bytes",
      "SELECT x'00ff', x''",
      [
        { bytes: 2, base64: "AP8=" },
        { bytes: 0, base64: "" },
      ],
    ],
    ["NULL", "SELECT NULL", [null]],
    ["columns of one name", "SELECT 1 AS a, 2 AS a", [1, 2]],
  ])("%s", (_, sql, row) => {
    expect(one(sql)).toEqual(row);
  });

  test("parameters keep their types, by ? and by $1", () => {
    const types = ["integer", "real", "text", "integer", "null"];
    const params = [1, 1.5, "x", true, null];
    expect(one("SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?)", params)).toEqual(types);
    expect(one("SELECT typeof($1), typeof($2), typeof($3), typeof($4), typeof($5)", params)).toEqual(types);
    expect(one("SELECT ?2, ?1", ["a", "b"])).toEqual(["b", "a"]);
  });

  test.each([
    ["SELECT ?, ?", [1]],
    ["SELECT ?", []],
    ["SELECT $1", []],
    ["SELECT :name", []],
    ["SELECT ?", [1, 2]],
    ["SELECT 1", [1]],
    ["SELECT :name", [1]],
  ])("a value too few or too many is told, not taken for NULL: %s %j", (sql, params) => {
    expect(one(sql, params)).toMatchObject({ ok: false, error: { code: "wrong_parameters" } });
  });

  test("a column's type is the declared one, of an expression that of its values", () => {
    const response = ask(workspace, "SELECT id, total, total * 2, NULL, placed FROM orders ORDER BY 2");
    expect(response).toMatchObject({
      ok: true,
      value: {
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "total", type: "NUMERIC" },
          { name: "total * 2", type: "real" },
          { name: "NULL", type: "null" },
          { name: "placed", type: "DATE" },
        ],
        rows: [
          ["9007199254740993", 12.5, 25, null, "2026-01-02"],
          [2, 250, 500, null, null],
        ],
      },
    });
  });

  test.each([
    ["SELECT nope FROM customers", "no such column: nope"],
    ["SELECT * FROM nope", "no such table: nope"],
    ["SELEC 1", 'near "SELEC": syntax error'],
    ['SELECT "nope"', "no such column"],
    ["", "no statements"],
  ])("what SQLite does not understand: %s", (sql, message) => {
    const response = ask(workspace, sql);
    expect(response).toMatchObject({ ok: false, error: { code: "sql_error" } });
    expect(response.ok ? "" : response.error.message).toContain(message);
  });

  test("a value of a gigabyte is refused", () => {
    expect(one("SELECT zeroblob(1000000000)")).toMatchObject({ error: { code: "value_too_large" } });
    expect(one("SELECT printf('%.*c', 900000000, 'x')")).toMatchObject({
      error: { code: "value_too_large" },
    });
  });
});

describe("tables", () => {
  using workspace = sqliteWorkspace();
  const file = workspace.path("shop.db");
  const whole = answer({ file, describe: { maxBytes: 24_000 } });
  const one = answer({ file, describe: { table: "Orders", maxBytes: 24_000 } });
  const unknown = answer({ file, describe: { table: "order", maxBytes: 24_000 } });
  const cut = answer({ file, describe: { maxBytes: 600 } });

  test("all of them, and one of them whatever its case", () => {
    const orders = {
      name: "orders",
      kind: "table",
      rows: 2,
      columns: [
        { name: "id", type: "INTEGER", nullable: false },
        { name: "customer", type: "INTEGER", nullable: false },
        { name: "total", type: "NUMERIC", nullable: true },
        { name: "placed", type: "DATE", nullable: true },
      ],
      primaryKey: ["id"],
      foreignKeys: [{ columns: ["customer"], table: "customers", references: ["id"] }],
      indexes: [{ name: "orders_by_month", columns: ["customer", "(expression)"], unique: false }],
    };
    const names = ["big_orders", "broken", "customers", "notes", "orders", "places"];
    expect(whole).toMatchObject({
      ok: true,
      value: { truncated: false, tables: names.map((name) => ({ name })) },
    });
    expect(one).toMatchObject({ ok: true, value: { tables: [orders] } });
  });

  test("an unknown one is answered with those that there are", () => {
    expect(unknown).toMatchObject({ ok: false, error: { code: "unknown_table" } });
    expect(unknown.ok ? "" : unknown.error.hint).toContain("customers");
  });

  test("where there is no room, columns are left out, and it says so", () => {
    expect(cut).toMatchObject({
      ok: true,
      value: { truncated: true, note: expect.stringMatching(/^columns are shown of the first \d tables/) },
    });
    expect(JSON.stringify(cut.ok ? cut.value : "").length).toBeLessThan(800);
  });
});

describe("files", () => {
  test("what is missing is not made", () => {
    using workspace = sqliteWorkspace();
    const response = answer({ file: workspace.path("other.db"), query });
    expect(response).toMatchObject({ ok: false, error: { code: "database_not_found" } });
    expect(readdirSync(workspace.root)).toEqual(["shop.db"]);
  });

  test("a folder and a file of another kind are told apart from a database", () => {
    using workspace = sqliteWorkspace();
    mkdirSync(workspace.path("folder"));
    workspace.write("text.db", "this is no database, but longer than its header: ".repeat(9));
    for (const name of ["folder", "text.db"]) {
      const response = answer({ file: workspace.path(name), query });
      expect(response).toMatchObject({ ok: false, error: { code: "not_a_database" } });
    }
  });

  test("a name with characters of a URL is a name", () => {
    using workspace = sqliteWorkspace("PRAGMA journal_mode = WAL");
    const name = workspace.path("a ?mode=rwc#%41&.db");
    copyFileSync(workspace.path("shop.db"), name);
    expect(answer({ file: name, query })).toMatchObject({ ok: true, value: { rows: [[3]] } });
  });

  test("beside a database with a write-ahead log that nobody has open, nothing is made", () => {
    using workspace = sqliteWorkspace("PRAGMA journal_mode = WAL");
    const before = folderState(workspace.root);
    expect(answer({ file: workspace.path("shop.db"), query })).toMatchObject({
      ok: true,
      value: { rows: [[3]] },
    });
    expect(folderState(workspace.root)).toEqual(before);
  });

  test("what a writer has put into its write-ahead log is seen", () => {
    using workspace = sqliteWorkspace("PRAGMA journal_mode = WAL");
    const writer = new DatabaseSync(workspace.path("shop.db"));
    onTestFinished(() => writer.close());
    writer.exec("INSERT INTO customers VALUES (4, 'new', '')");
    expect(answer({ file: workspace.path("shop.db"), query })).toMatchObject({
      ok: true,
      value: { rows: [[4]] },
    });
  });

  test("a log that a killed writer left is read, and stays", () => {
    using workspace = sqliteWorkspace("PRAGMA journal_mode = WAL");
    const writer = new DatabaseSync(workspace.path("shop.db"));
    writer.exec("INSERT INTO customers VALUES (4, 'new', '')");
    for (const suffix of ["", "-wal"])
      copyFileSync(workspace.path(`shop.db${suffix}`), workspace.path(`left.db${suffix}`));
    writer.close();
    const before = folderState(workspace.root);
    expect(answer({ file: workspace.path("left.db"), query })).toMatchObject({
      ok: true,
      value: { rows: [[4]] },
    });
    rmSync(workspace.path("left.db-shm"), { force: true });
    expect(folderState(workspace.root)).toEqual(before);
  });

  test("a writer's interrupted journal is not rolled back", () => {
    using workspace = sqliteWorkspace();
    const writer = new DatabaseSync(workspace.path("shop.db"));
    writer.exec(
      "PRAGMA cache_size = 1; BEGIN; UPDATE customers SET email = hex(zeroblob(9000)); INSERT INTO orders SELECT id + 100, 1, 1, 1 FROM customers",
    );
    for (const suffix of ["", "-journal"])
      copyFileSync(workspace.path(`shop.db${suffix}`), workspace.path(`left.db${suffix}`));
    writer.exec("ROLLBACK");
    writer.close();
    const before = folderState(workspace.root);
    expect(answer({ file: workspace.path("left.db"), query })).toMatchObject({
      ok: false,
      error: { code: "database_unreadable" },
    });
    expect(folderState(workspace.root)).toEqual(before);
    expect(existsSync(workspace.path("left.db-journal"))).toBe(true);
  });

  test("a database that a writer holds is told as locked", () => {
    using workspace = sqliteWorkspace();
    const writer = new DatabaseSync(workspace.path("shop.db"));
    onTestFinished(() => writer.close());
    writer.exec("BEGIN EXCLUSIVE");
    expect(answer({ file: workspace.path("shop.db"), query })).toMatchObject({
      ok: false,
      error: { code: "database_locked" },
    });
  });

  test("a Node without an authorizer is told which one has it", () => {
    expect(() => requireAuthorizer({})).toThrow(/Node 24\.10/);
    expect(() => requireAuthorizer(DatabaseSync.prototype)).not.toThrow();
  });
});
