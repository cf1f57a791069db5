import { ToolError } from "@toycoder/core";
import type { Client } from "pg";
import type {
  ColumnDescription,
  Description,
  ForeignKey,
  IndexDescription,
  TableDescription,
} from "../description.ts";
import type { DescribeRequest } from "../engine.ts";
import { fitTables } from "../fit-tables.ts";

const MOST_TABLES = 1_000;

interface TableRow {
  name: string;
  kind: string;
  rows: string | null;
  columns: (ColumnDescription & { default: string | null })[] | null;
  key: string[] | null;
  foreign: ForeignKey[] | null;
  indexes: IndexDescription[] | null;
}

/** Everything of a table comes in one row, from the catalog: only what the role may read. */
const TABLES = `
SELECT CASE WHEN n.nspname = 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END AS name,
       CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table'
                      WHEN 'p' THEN 'partitioned table' ELSE 'table' END AS kind,
       CASE WHEN c.relkind IN ('r', 'm', 'p') AND c.reltuples >= 0 THEN c.reltuples::bigint END AS rows,
       (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
                 'nullable', NOT a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attnum)
          FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
           AND has_column_privilege(c.oid, a.attnum, 'SELECT')) AS columns,
       (SELECT json_agg(a.attname ORDER BY k.place)
          FROM pg_constraint p, unnest(p.conkey) WITH ORDINALITY AS k (attnum, place), pg_attribute a
         WHERE p.conrelid = c.oid AND p.contype = 'p' AND a.attrelid = c.oid AND a.attnum = k.attnum) AS key,
       (SELECT json_agg(json_build_object(
                 'columns', (SELECT json_agg(a.attname ORDER BY k.place)
                               FROM unnest(f.conkey) WITH ORDINALITY AS k (attnum, place), pg_attribute a
                              WHERE a.attrelid = f.conrelid AND a.attnum = k.attnum),
                 'table', f.confrelid::regclass::text,
                 'references', (SELECT json_agg(a.attname ORDER BY k.place)
                                  FROM unnest(f.confkey) WITH ORDINALITY AS k (attnum, place), pg_attribute a
                                 WHERE a.attrelid = f.confrelid AND a.attnum = k.attnum)) ORDER BY f.conname)
          FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f') AS foreign,
       (SELECT json_agg(json_build_object('name', x.relname, 'unique', i.indisunique,
                 'columns', (SELECT json_agg(pg_get_indexdef(i.indexrelid, k, true) ORDER BY k)
                               FROM generate_series(1, i.indnkeyatts) AS k)) ORDER BY x.relname)
          FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
         WHERE i.indrelid = c.oid AND NOT i.indisprimary) AS indexes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
   AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
   AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
   AND ($1::text IS NULL OR lower(c.relname) = lower($1) OR lower(n.nspname || '.' || c.relname) = lower($1))
 ORDER BY n.nspname <> 'public', n.nspname, c.relname
 LIMIT ${MOST_TABLES}`;

/** The tables and views that the role may read. Throws a ToolError `unknown_table`. */
export async function describeTables(
  client: Client,
  { table, maxBytes }: DescribeRequest,
): Promise<Omit<Description, "connection">> {
  // Nothing of the database's own can stand before a function of the catalog.
  await client.query("SET LOCAL search_path = pg_catalog");
  const version = await client.query<{ server_version: string }>("SHOW server_version");
  const { rows } = await client.query<TableRow>({ text: TABLES, values: [table ?? null] as never });
  if (rows.length === 0 && table !== undefined) {
    throw new ToolError(
      "unknown_table",
      `there is no table ${JSON.stringify(table)} that this role may read`,
      {
        hint: "leave `table` out to see what there is",
      },
    );
  }
  const fitted = fitTables(rows.map(tableOf), maxBytes);
  return { engine: `PostgreSQL ${version.rows[0]?.server_version ?? ""}`.trim(), ...fitted };
}

function tableOf(row: TableRow): TableDescription {
  const { name, kind, rows } = row;
  const [columns, primaryKey, foreignKeys, indexes] = [row.columns, row.key, row.foreign, row.indexes].map(
    (text) => (typeof text === "string" ? (JSON.parse(text) as never) : undefined),
  ) as [TableRow["columns"], string[] | undefined, ForeignKey[] | undefined, IndexDescription[] | undefined];
  return {
    name,
    kind,
    rows: rows === null ? null : Number(rows),
    columns: (columns ?? []).map(({ default: value, ...column }): ColumnDescription =>
      value === null ? column : { ...column, default: value },
    ),
    ...(primaryKey !== undefined && { primaryKey }),
    ...(foreignKeys !== undefined && { foreignKeys }),
    ...(indexes !== undefined && { indexes }),
  };
}
