import type { Tool } from "@toycoder/core";
import { tempWorkspace, toolBench, type ToolBench } from "@toycoder/testing";
import { databasePlugin, type PostgresOptions } from "../index.ts";
import { asAdmin } from "./postgres-admin.ts";
import type { TestPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export const CREDENTIALS = { READER: "reader-password", ADMIN: "admin-password" };

/** How a test's role connects. PGlite has one session, of a superuser, for everybody. */
export function connectionAs(server: TestPostgres, user: string): PostgresOptions {
  const { host, port } = server;
  // Without a password, which takes both sides longer to check than most statements take.
  const place = server.socket === undefined ? { host, port } : { host: server.socket, port };
  const role = server.kind === "pglite" ? { user: "postgres", allowSuperuser: true } : { user };
  return { type: "postgres", ...place, database: "postgres", ...role };
}

/** The tools for one connection called `shop`. */
export async function toolsFor(
  connection: PostgresOptions,
  limits: { maxRows?: number; maxBytes?: number; timeoutSeconds?: number } = {},
): Promise<readonly Tool[]> {
  const plugin = databasePlugin({ connections: { shop: connection }, ...limits });
  return (await plugin.setup({ root: "/", secretVariables: [] })).tools;
}

/** The tools in a session of their own, in an empty workspace. */
export async function benchFor(...args: Parameters<typeof toolsFor>): Promise<ToolBench & Disposable> {
  const workspace = tempWorkspace();
  const bench = toolBench(await toolsFor(...args), { root: workspace.root, credentials: CREDENTIALS });
  return Object.assign(bench, { [Symbol.dispose]: () => workspace.dispose() });
}

/** Everything that a statement could leave behind, as one text: rows, sequences, the catalog, settings, locks. */
export async function stateOf(server: TestPostgres): Promise<string> {
  const state = await asAdmin(
    server,
    `SELECT md5(concat_ws('|',
       (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM customers t),
       (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM orders t),
       (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM secrets t),
       (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM totals t),
       (SELECT (last_value, is_called)::text FROM numbers),
       (SELECT string_agg((oid, relname, relnatts, relacl, relpersistence)::text, ',' ORDER BY oid) FROM pg_class),
       (SELECT string_agg((oid, proname)::text, ',' ORDER BY oid) FROM pg_proc),
       (SELECT string_agg((oid, datname)::text, ',' ORDER BY oid) FROM pg_database),
       (SELECT string_agg((oid, nspname)::text, ',' ORDER BY oid) FROM pg_namespace),
       (SELECT string_agg((oid, extname)::text, ',' ORDER BY oid) FROM pg_extension),
       (SELECT string_agg((rolname, rolsuper, rolconfig)::text, ',' ORDER BY rolname) FROM pg_roles),
       (SELECT string_agg((objoid, description)::text, ',' ORDER BY objoid) FROM pg_description WHERE objoid > 16000),
       (SELECT count(*)::text FROM pg_largeobject_metadata),
       (SELECT string_agg((name, setting)::text, ',' ORDER BY name) FROM pg_settings WHERE name NOT LIKE '%port%'),
       (SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory'))) AS state`,
  );
  return String(state[0]?.["state"]);
}
