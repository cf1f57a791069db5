import { readFileSync } from "node:fs";
import pg from "pg";
import type { TestPostgres } from "./start-postgres.ts";

/** Runs statements as the superuser. */
export async function asAdmin(server: TestPostgres, sql: string): Promise<Record<string, unknown>[]> {
  const { host, port, password } = server;
  const client = new pg.Client({ host, port, user: "postgres", database: "postgres", password, ssl: false });
  await client.connect();
  try {
    const result: unknown = await client.query(sql);
    const last = (Array.isArray(result) ? result.at(-1) : result) as { rows: Record<string, unknown>[] };
    return last.rows;
  } finally {
    await client.end();
  }
}

export async function loadFixture(server: TestPostgres): Promise<void> {
  await asAdmin(server, readFileSync(new URL("../../fixtures/postgres.sql", import.meta.url), "utf8"));
}
