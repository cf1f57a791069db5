import { describePlugin, describeTool } from "@toycoder/testing";
import { readFileSync } from "node:fs";
import { afterAll, describe, inject, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { databasePlugin } from "./plugin.ts";
import { connectionAs, CREDENTIALS, toolsFor } from "./test-support/postgres.ts";
import { sqliteWorkspace } from "./test-support/sqlite.ts";

const made = sqliteWorkspace();
afterAll(() => made.dispose());
const files = { "shop.db": readFileSync(made.path("shop.db")) as unknown as string };
const options = { connections: { shop: { type: "sqlite", path: "shop.db" } }, timeoutSeconds: 60 } as const;
const [queryDatabase, describeDatabase] = (
  await databasePlugin(options).setup({ root: made.root, secretVariables: [] })
).tools;
const [queryPostgres] = await toolsFor(connectionAs(inject("postgres"), "reader"));

describeTool(
  {
    tool: queryDatabase!,
    files,
    examples: [
      { input: { sql: "SELECT ?", params: ["x"], connection: "shop", limit: 1 } },
      { input: { sql: "DELETE FROM customers" }, fails: "statement_refused" },
    ],
    wrong: [
      { input: { sql: "" }, says: "sql" },
      { input: { sql: "SELECT 1\0" }, says: "NUL" },
      { input: { sql: "SELECT 1", params: [{}] }, says: "params" },
      { input: { sql: "SELECT 1", limit: 0 }, says: "limit" },
      { input: { sql: "SELECT 1", connection: "other" }, says: "connection" },
    ],
    slow: { sql: "WITH RECURSIVE n(a) AS (VALUES (1) UNION ALL SELECT a + 1 FROM n) SELECT count(*) FROM n" },
  },
  { describe, test },
);

describeTool(
  {
    tool: describeDatabase!,
    files,
    examples: [{ input: { table: "customers" } }, { input: { table: "nope" }, fails: "unknown_table" }],
    wrong: [{ input: { connection: "other" }, says: "connection" }],
  },
  { describe, test },
);

describe("with a server", () => {
  describeTool(
    {
      tool: queryPostgres!,
      credentials: CREDENTIALS,
      examples: [
        { input: { sql: "SELECT $1::int", params: [1] } },
        { input: { sql: "DELETE FROM orders" }, fails: "sql_error" },
      ],
      // PGlite computes in the process of the tests: a slow statement would stop them.
      ...(inject("postgres").kind === "server" && { slow: { sql: "SELECT pg_sleep(60)" } }),
    },
    { describe, test },
  );
});

describePlugin(
  {
    plugin: databasePlugin,
    manifest: packageJson,
    entry: import.meta.resolve("./index.ts"),
    options,
    wrongOptions: [
      { options: { connections: {} }, path: "connections" },
      { options: { connections: { shop: { type: "mysql" } } }, path: "connections.shop.type" },
      { options: { connections: { shop: { type: "sqlite" } } }, path: "connections.shop.path" },
      { options: { connections: { "a b": { type: "sqlite", path: "x" } } }, path: "connections.a b" },
      { options: { connections: { shop: { type: "postgres", user: "x" } } }, path: "connections.shop.host" },
      { options: { connections: { shop: { type: "postgres", host: "x" } } }, path: "connections.shop.user" },
      {
        options: { connections: { shop: { type: "postgres", url: "postgres://a:b@c/d" } } },
        path: "connections.shop.url",
      },
      { options: { ...options, maxRows: 0 }, path: "maxRows" },
    ],
  },
  { describe, test },
);
