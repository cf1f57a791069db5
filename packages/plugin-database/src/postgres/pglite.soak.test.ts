import { expect, test } from "vitest";
import { hostileStatements } from "../test-support/hostile.ts";
import { loadFixture } from "../test-support/postgres-admin.ts";
import { benchFor, connectionAs, stateOf } from "../test-support/postgres.ts";
import { startPglite } from "../test-support/start-pglite.ts";

/** Where the binaries are missing, all tests run on PGlite; where they are there, this one shows that they could. */
test("hostile statements change nothing in PGlite", async () => {
  const server = await startPglite();
  try {
    await loadFixture(server);
    using bench = await benchFor(connectionAs(server, "writer"));
    const before = await stateOf(server);
    for (const sql of hostileStatements("hostile-postgres")) {
      expect.soft(await bench.call("query_database", { sql }), sql).toMatchObject({ ok: false });
    }
    expect(await stateOf(server)).toBe(before);
  } finally {
    await server.stop();
  }
});

test("a server that is silent is given up", async () => {
  const { createServer } = await import("node:net");
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as { port: number };
  using bench = await benchFor({ type: "postgres", host: "127.0.0.1", port, user: "reader" });
  const result = await bench.call("query_database", { sql: "SELECT 1" });
  expect(result).toMatchObject({ ok: false, error: { code: "connection_failed" } });
  silent.close();
});
