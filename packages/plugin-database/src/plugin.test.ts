import { createPolicy, createSession, createWorkspace, dispatch, textOf, ToolRegistry } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { expect, test } from "vitest";
import { type DatabaseOptions, databasePlugin } from "./index.ts";

const lite = { type: "sqlite", path: "shop.db" } as const;
const server = { type: "postgres", host: "db.example.com", user: "reader" } as const;

async function toolsFor(connections: DatabaseOptions["connections"]) {
  const { tools, status } = await databasePlugin({ connections }).setup({ root: "/", secretVariables: [] });
  const [query, describe] = tools;
  return { query: query!, describe: describe!, tools, status };
}

test("a file of the workspace is read unasked, a server is not", async () => {
  expect((await toolsFor({ lite })).query.permission).toBe("safe");
  expect((await toolsFor({ lite, server })).query.permission).toBe("sensitive");
});

test("the connection has to be named where there are several, and a model is told which there are", async () => {
  const one = await toolsFor({ lite });
  expect(one.query.jsonSchema).toMatchObject({ required: ["sql"] });
  const two = await toolsFor({ lite, crm: server });
  expect(two.query.jsonSchema).toMatchObject({
    required: ["sql", "connection"],
    properties: { connection: { enum: ["lite", "crm"] } },
  });
  expect(two.describe.description).toContain("lite (sqlite), crm (postgres)");
});

test("its version is what others depend on", async () => {
  const { query } = await toolsFor({ lite });
  expect([query.name, query.version]).toEqual(["query_database", "1.0.0"]);
});

test("credentials of all connections are asked for, each once", async () => {
  const { query } = await toolsFor({
    lite,
    a: { ...server, credential: "A" },
    b: { ...server, credential: "B" },
    c: { ...server, credential: "A" },
  });
  expect(query.requiresAuth).toEqual(["A", "B"]);
  using workspace = tempWorkspace();
  const result = await toolBench([query], { root: workspace.root, credentials: { A: "x" } }).call(
    "query_database",
    {
      sql: "SELECT 1",
      connection: "a",
    },
  );
  expect(result).toMatchObject({ ok: false, error: { code: "auth_missing" } });
  expect(textOf(result.content)).toContain("B");
});

test.each([
  [["net:*.example.com"], "permission_denied"],
  [["net:other.com"], "approval_required"],
  [["plugin:database"], "permission_denied"],
])("rules hold: deny %j", async (deny, code) => {
  using workspace = tempWorkspace();
  const { tools } = await toolsFor({ server });
  const registry = new ToolRegistry();
  registry.registerMany(tools, { plugin: "database" });
  const { root } = workspace;
  const session = createSession({
    registry,
    policy: createPolicy({ root, deny }),
    workspace: createWorkspace({ root }),
  });
  const call = { id: "1", name: "query_database", arguments: { sql: "SELECT 1" } };
  expect(await dispatch(call, session)).toMatchObject({ ok: false, error: { code } });
});

test("what is in force is told without a secret", async () => {
  const url = "postgres://reader@db.example.com:5433/crm";
  const { status } = await toolsFor({ lite, crm: { type: "postgres", url, credential: "CRM" } });
  expect(status).toEqual({
    database: "lite (SQLite, shop.db), crm (PostgreSQL, db.example.com:5433/crm)",
  });
});

test("a password in the config is refused, and not repeated", async () => {
  const url = "postgres://reader:hunter2-hunter2@db.example.com/crm";
  const refused = await toolsFor({ crm: { type: "postgres", url } }).catch(String);
  expect(refused).toMatch(/connections\.crm\.url: a password does not belong into the config/);
  expect(refused).not.toContain("hunter2");
});
