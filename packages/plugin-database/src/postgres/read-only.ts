import { ToolError } from "@toycoder/core";
import type { Client } from "pg";

/** Roles that reach beyond reading tables: https://www.postgresql.org/docs/current/predefined-roles.html */
const POWERFUL = [
  "pg_read_server_files",
  "pg_write_server_files",
  "pg_execute_server_program",
  "pg_signal_backend",
  "pg_create_subscription",
];

/** How values are written, whatever server, database and role say. */
const WRITTEN = {
  TimeZone: "UTC",
  DateStyle: "ISO, YMD",
  IntervalStyle: "iso_8601",
  bytea_output: "hex",
  extra_float_digits: "3",
};

/**
 * Does `work` in a transaction in which the server refuses to write, and undoes the transaction whatever comes of it.
 * Refuses a role that could do more than read even so.
 */
export async function inReadOnlyTransaction<T>(
  client: Client,
  { timeoutSeconds, allowSuperuser }: { timeoutSeconds: number; allowSuperuser: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const millis = Math.ceil(timeoutSeconds * 1000);
  const settings = Object.entries(WRITTEN).map(([name, value]) => `SET LOCAL ${name} = '${value}'`);
  await client.query(["BEGIN READ ONLY", `SET LOCAL statement_timeout = ${millis}`, ...settings].join("; "));
  try {
    // As the first query it also takes the snapshot, after which no setting makes the transaction a writing one.
    const powers = await powersOf(client);
    if (powers.length > 0 && !allowSuperuser) throw tooPowerful(powers);
    return await work();
  } finally {
    // Locks of the session are all that a rollback leaves; a pooler gives the session to others.
    await client.query("ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()").catch(() => {});
  }
}

/** What makes the role that logged in more than a reader. */
async function powersOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ power: string }>({
    text: `SELECT CASE WHEN rolsuper THEN 'superuser' WHEN rolreplication THEN 'replication' END AS power
             FROM pg_catalog.pg_roles WHERE rolname = session_user AND (rolsuper OR rolreplication)
           UNION ALL
           SELECT rolname FROM pg_catalog.pg_roles
             WHERE rolname = ANY ($1) AND pg_catalog.pg_has_role(session_user, oid, 'MEMBER')`,
    values: [POWERFUL] as never,
  });
  return rows.map(({ power }) => power);
}

const tooPowerful = (powers: readonly string[]): ToolError =>
  new ToolError(
    "role_too_powerful",
    `the role can do more than read (${powers.includes("superuser") ? "superuser" : powers.join(", ")}): it is refused`,
    {
      hint: "connect as a role that may only read: CREATE ROLE reader LOGIN PASSWORD '…'; GRANT pg_read_all_data TO reader; or say allowSuperuser: true for the connection",
    },
  );
