import { once } from "node:events";
import { createServer } from "node:net";
import { textOf } from "@toycoder/core";
import { afterAll, describe, expect, inject, test } from "vitest";
import { asAdmin } from "../test-support/postgres-admin.ts";
import { benchFor, connectionAs, toolsFor, CREDENTIALS } from "../test-support/postgres.ts";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import type { PostgresOptions } from "../index.ts";

const server = inject("postgres");
const reader = connectionAs(server, "reader");
const bench = await benchFor(reader, { timeoutSeconds: 10 });
afterAll(() => bench[Symbol.dispose]());

const one = async (sql: string, params: unknown[] = []): Promise<unknown> => {
  const result = await bench.call("query_database", { sql, params });
  return result.ok ? (result.output as { rows: unknown[][] }).rows[0] : result.error;
};

describe("values", () => {
  test.each([
    [
      "integers",
      "SELECT 1::smallint, 2, 9007199254740991::bigint, 9007199254740992::bigint",
      [1, 2, 9007199254740991, "9007199254740992"],
    ],
    ["numeric, exact", "SELECT 1.50::numeric(10,2), 'NaN'::numeric, 0.1 + 0.2", ["1.50", "NaN", "0.3"]],
    [
      "floating point, whatever the server's digits are",
      "SELECT 0.1::float8, 1::float4, 'NaN'::float8, '-Infinity'::float8",
      [0.1, 1, "NaN", "-Infinity"],
    ],
    ["truth", "SELECT true, false, NULL::boolean", [true, false, null]],
    [
      "dates, whatever the server's style is",
      "SELECT date '2026-01-02', time '03:04:05', date 'infinity', date '0044-03-15 BC'",
      ["2026-01-02", "03:04:05", "infinity", "0044-03-15 BC"],
    ],
    [
      "points in time, in UTC",
      "SELECT timestamptz '2026-01-02 03:04:05.678+02', timestamp '2026-01-02 03:04:05', timestamptz 'infinity'",
      ["2026-01-02T01:04:05.678Z", "2026-01-02T03:04:05", "infinity"],
    ],
    ["intervals", "SELECT interval '1 year 2 days 03:04:05'", ["P1Y2DT3H4M5S"]],
    [
      "bytes",
      "SELECT '\\x00ff'::bytea, ''::bytea",
      [
        { bytes: 2, base64: "AP8=" },
        { bytes: 0, base64: "" },
      ],
    ],
    [
      "JSON",
      'SELECT \'{"a": [1, null, "x"], "b": 9007199254740993}\'::jsonb, \'1.5\'::json',
      [{ a: [1, null, "x"], b: "9007199254740993" }, 1.5],
    ],
    [
      "arrays",
      "SELECT ARRAY[[1, NULL], [2, 3]], ARRAY['a,b', '\"q\\', NULL, 'NULL', ''], '{}'::int[], '[0:1]={1,2}'::int[], ARRAY['\\x00'::bytea]",
      [
        [
          [1, null],
          [2, 3],
        ],
        ["a,b", '"q\\', null, "NULL", ""],
        [],
        [1, 2],
        [{ bytes: 1, base64: "AA==" }],
      ],
    ],
    [
      "the rest as texts",
      "SELECT 'good'::mood, int4range(1, 5), 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, '10.0.0.1'::inet, ROW(1, 'a'), B'101'",
      ["good", "[1,5)", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "10.0.0.1", "(1,a)", "101"],
    ],
    ["columns of one name", "SELECT 1 AS a, 2 AS a", [1, 2]],
  ])("%s", async (_, sql, row) => {
    expect(await one(sql)).toEqual(row);
  });

  test("a column's type is in the server's words", async () => {
    const sql =
      "SELECT 1.5::numeric(10,2) AS a, 'x'::varchar(40) AS b, '{}'::int[] AS c, now() AS d, 'good'::mood AS e";
    const result = await bench.call("query_database", { sql });
    expect(result).toMatchObject({
      output: {
        columns: [
          { name: "a", type: "numeric(10,2)" },
          { name: "b", type: "character varying(40)" },
          { name: "c", type: "integer[]" },
          { name: "d", type: "timestamp with time zone" },
          { name: "e", type: "mood" },
        ],
      },
    });
  });

  test("parameters", async () => {
    expect(
      await one("SELECT $1::int + 1, $2 || '!', $3::boolean, $4::int, $1", [41, "x", true, null]),
    ).toEqual([42, "x!", true, null, 41]);
    expect(await one("SELECT name FROM customers WHERE id = $1", ["1"])).toEqual(["Ada"]);
    expect(await one("SELECT id FROM orders WHERE id = $1", ["9007199254740993"])).toEqual([
      "9007199254740993",
    ]);
    expect(await one("SELECT $1", ["'; DROP TABLE orders --"])).toEqual(["'; DROP TABLE orders --"]);
  });

  test.each([
    ["SELECT $1", []],
    ["SELECT 1", [1]],
    ["SELECT $2::int", [1]],
    ["SELECT $1::int", ["x"]],
  ])("wrong parameters: %s %j", async (sql, params) => {
    expect(await one(sql, params)).toMatchObject({ code: "wrong_parameters", hint: expect.any(String) });
  });
});

test.each([
  ["SELECT nope FROM customers", /column "nope" does not exist \(at character 8\)/, /describe_database/],
  ["SELECT * FROM nope", /relation "nope" does not exist/, /describe_database/],
  ["SELEC 1", /syntax error at or near "SELEC" \(at character 1\)/, /SELECT, VALUES/],
  ["SELECT 1/0", /division by zero/, /^$/],
])("what the server does not understand: %s", async (sql, message, hint) => {
  const error = (await one(sql)) as { code: string; message: string; hint?: string };
  expect(error.code).toBe("sql_error");
  expect(error.message).toMatch(message);
  expect(error.hint ?? "").toMatch(hint);
});

test("tables are described", async () => {
  const result = await bench.call("describe_database", {});
  const { tables } = (result.ok ? result.output : {}) as { tables: { name: string; kind: string }[] };
  const names = tables
    .map(({ name }) => name)
    .filter((name) => server.kind === "server" || name !== "secrets");
  expect(names).toEqual(["big_orders", "customers", "orders", "sneaky", "totals", "sales.leads"]);
  expect(tables.find(({ name }) => name === "totals")?.kind).toBe("materialized view");
  expect(tables.find(({ name }) => name === "orders")).toEqual({
    name: "orders",
    kind: "table",
    rows: 2,
    columns: [
      { name: "id", type: "bigint", nullable: false },
      { name: "customer", type: "integer", nullable: false },
      { name: "total", type: "numeric(10,2)", nullable: true },
      { name: "placed", type: "timestamp with time zone", nullable: true, default: "now()" },
    ],
    primaryKey: ["id"],
    foreignKeys: [{ columns: ["customer"], table: "public.customers", references: ["id"] }],
    indexes: [
      {
        name: "orders_by_month",
        columns: ["customer", "date_trunc('month'::text, (placed AT TIME ZONE 'UTC'::text))"],
        unique: false,
      },
    ],
  });
  const leads = await bench.call("describe_database", { table: "Sales.Leads" });
  expect(leads).toMatchObject({ ok: true, output: { tables: [{ name: "sales.leads" }] } });
  const unknown = await bench.call("describe_database", { table: "nope" });
  expect(unknown).toMatchObject({ ok: false, error: { code: "unknown_table" } });
});

test("a result has its place: rows, bytes, the length of a value", async () => {
  using small = await benchFor(reader, { maxRows: 5, maxBytes: 1000 });
  const rows = async (sql: string, limit?: number) =>
    (await small.call("query_database", limit === undefined ? { sql } : { sql, limit })) as {
      output: unknown;
    };
  expect((await rows("SELECT generate_series(1, 5)")).output).toMatchObject({
    rowCount: 5,
    truncated: false,
  });
  expect((await rows("SELECT generate_series(1, 6)")).output).toMatchObject({
    rowCount: 5,
    truncated: true,
    note: expect.stringMatching(/more than these 5 rows.*LIMIT 5 OFFSET 5/),
  });
  expect((await rows("SELECT generate_series(1, 9)", 2)).output).toMatchObject({
    rowCount: 2,
    truncated: true,
  });
  expect((await rows("SELECT generate_series(1, 9)", 99)).output).toMatchObject({
    rowCount: 5,
    truncated: true,
  });
  expect((await rows("SELECT repeat('x', 245), generate_series(1, 9)")).output).toMatchObject({
    rowCount: 3,
    note: expect.stringMatching(/over 1000 bytes/),
  });
  expect((await rows("SELECT repeat('x', 1000) AS long")).output).toMatchObject({
    rows: [[`${"x".repeat(250)}… [cut: 1000 characters]`]],
    truncated: true,
    note: expect.stringMatching(/cut in long/),
  });
});

if (server.kind === "server")
  describe("a server of its own", () => {
    const { host, port } = server;
    const byPassword: PostgresOptions = {
      type: "postgres",
      host,
      port,
      database: "postgres",
      user: "reader",
      credential: "READER",
    };
    const failing = async (
      connection: Partial<PostgresOptions>,
      credentials: Record<string, string> = CREDENTIALS,
    ) => {
      using workspace = tempWorkspace();
      const tools = await toolsFor({ ...byPassword, ...connection });
      const { call } = toolBench(tools, { root: workspace.root, credentials });
      const result = await call("query_database", { sql: "SELECT session_user" });
      const shown = textOf(result.content);
      expect(shown).not.toContain("password-of");
      return result.ok ? "ok" : `${result.error.code}: ${result.error.message} / ${result.error.hint}`;
    };

    test("connections that work: a password, a whole URL as credential, a URL in the config", async () => {
      expect(await failing({})).toBe("ok");
      expect(
        await failing(
          { user: undefined, database: undefined, port: undefined },
          { READER: `postgres://reader:reader-password@${host}:${port}/postgres?sslmode=disable` },
        ),
      ).toBe("ok");
      expect(
        await failing({
          url: `postgresql://reader@${host}:${port}/postgres`,
          host: undefined,
          port: undefined,
          user: undefined,
          database: undefined,
        }),
      ).toBe("ok");
    });

    test.each<[RegExp, Partial<PostgresOptions>, Record<string, string>?]>([
      [/^auth_failed: .*password.* \/ .*credential READER/, {}, { READER: "password-of-nobody" }],
      [/^auth_failed: .*asks for a password.* \/ .*credential: "NAME"/, { credential: undefined }],
      [/^auth_missing: /, { credential: "OTHER" }],
      [/^unknown_database: .*"nope" does not exist/, { database: "nope" }],
      [/^tls_failed: .*does not speak TLS \/ .*tls: false/, { tls: true }],
      [/^connection_failed: .*ENOENT/, { host: "/nowhere" }],
      [/^connection_misconfigured: tls.ca: the file nowhere.pem/, { tls: { ca: "nowhere.pem" } }],
      [
        /^connection_misconfigured: .*another host/,
        {},
        { READER: "postgres://reader:password-of-it@example.com/postgres" },
      ],
      [/^role_too_powerful: .*superuser.* \/ .*CREATE ROLE/, { user: "postgres", credential: "ADMIN" }],
      [/^role_too_powerful: .*pg_signal_backend/, { user: "signaller" }],
      [/^ok$/, { user: "postgres", credential: "ADMIN", allowSuperuser: true }],
    ])("%s", async (said, connection, credentials) => {
      expect(await failing(connection, credentials)).toMatch(said);
    });

    test("nobody there, and somebody else there", async () => {
      const other = createServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"));
      other.listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port: taken } = other.address() as { port: number };
      expect(await failing({ port: taken })).toMatch(/^connection_failed: /);
      other.close();
      await once(other, "close");
      expect(await failing({ port: taken })).toMatch(/^connection_failed: .*ECONNREFUSED/);
    });

    test("a server that never answers is left when the call is aborted", async () => {
      const silent = createServer().listen(0, "127.0.0.1");
      await once(silent, "listening");
      const { port: mute } = silent.address() as { port: number };
      using waiting = await benchFor({ ...byPassword, port: mute });
      const abort = new AbortController();
      const pending = waiting.call("query_database", { sql: "SELECT 1" }, abort.signal);
      const [socket] = await once(silent, "connection");
      abort.abort();
      expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
      await once(socket.resume(), "close");
      silent.close();
    });

    test("a statement that takes too long is stopped by the server", async () => {
      using hasty = await benchFor(reader, { timeoutSeconds: 0.2 });
      const result = await hasty.call("query_database", { sql: "SELECT pg_sleep(60)" });
      expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
      const lifted = await hasty.call("query_database", {
        sql: "SELECT set_config('statement_timeout', '0', false), pg_sleep(60)",
      });
      expect(lifted).toMatchObject({ ok: false, error: { code: "timeout" } });
    });

    test("an abort stops the statement on the server, too", async () => {
      using patient = await benchFor(reader, { timeoutSeconds: 600 });
      const abort = new AbortController();
      const sql = "SELECT pg_advisory_lock(7), pg_sleep(60) FROM orders";
      const pending = patient.call("query_database", { sql }, abort.signal);
      let running = 0;
      while (running === 0) {
        const [row] = await asAdmin(
          server,
          "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND objid = 7",
        );
        running = Number(row?.["n"]);
      }
      abort.abort();
      expect(await pending).toMatchObject({ ok: false, error: { code: "cancelled" } });
      // It held a lock on the table, and would for a minute.
      await asAdmin(
        server,
        "SET lock_timeout = '10s'; BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE; ROLLBACK",
      );
    });

    test("a server that sends too much is left", async () => {
      const result = await bench.call("query_database", {
        sql: "SELECT repeat('x', 12000000) FROM generate_series(1, 4)",
      });
      expect(result).toMatchObject({ ok: false, error: { code: "result_too_large" } });
    });
  });
