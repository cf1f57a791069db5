import type {
  ColumnDescription,
  Description,
  ForeignKey,
  IndexDescription,
  TableDescription,
} from "../description.ts";
import type { DescribeRequest } from "../engine.ts";
import { fitTables } from "../fit-tables.ts";
import { Failure } from "./failure.ts";
import type { Database } from "./node-sqlite.ts";

/** Up to so many rows are counted; of a longer table the highest rowid is the estimate. */
const COUNTED = 10_000;
const KINDS: Readonly<Record<string, string>> = { virtual: "virtual table" };

/** The tables and views of a database, by SQLite's own catalog. Throws a Failure `unknown_table`. */
export function describeTables(
  db: Database,
  { table, maxBytes }: DescribeRequest,
): Omit<Description, "connection"> {
  const version = db.prepare("SELECT sqlite_version()").get() as unknown as [string];
  const all = rows<[name: string, type: string]>(
    db,
    `SELECT name, type FROM pragma_table_list
     WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
  );
  const wanted =
    table === undefined ? all : all.filter(([name]) => name.toLowerCase() === table.toLowerCase());
  if (table !== undefined && wanted.length === 0) {
    throw new Failure("unknown_table", `there is no table ${JSON.stringify(table)}`, namesOf(all));
  }
  const tables = wanted.map(([name, type]) => describeTable(db, name, type));
  return { engine: `SQLite ${version[0]}`, ...fitTables(tables, maxBytes) };
}

const namesOf = (tables: readonly [string, string][]): string =>
  tables.length === 0
    ? "it has no tables"
    : `tables are ${tables
        .slice(0, 100)
        .map(([name]) => name)
        .join(", ")}`;

function describeTable(db: Database, name: string, type: string): TableDescription {
  const described = { name, kind: KINDS[type] ?? type, rows: type === "table" ? countRows(db, name) : null };
  try {
    return { ...described, ...columnsOf(db, name), ...keysOf(db, name) };
  } catch {
    return described; // A view over what is no longer there, a virtual table without its module.
  }
}

function columnsOf(db: Database, name: string): Pick<TableDescription, "columns" | "primaryKey"> {
  const found = rows<[name: string, type: string, notNull: bigint, value: string | null, key: bigint]>(
    db,
    `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid`,
    name,
  );
  const columns = found.map(([column, type, notNull, value, key]): ColumnDescription => {
    const nullable = notNull === 0n && key === 0n;
    return value === null
      ? { name: column, type, nullable }
      : { name: column, type, nullable, default: value };
  });
  const keyed = found.filter(([, , , , key]) => key > 0n).toSorted((a, b) => Number(a[4] - b[4]));
  return keyed.length === 0 ? { columns } : { columns, primaryKey: keyed.map(([column]) => column) };
}

function keysOf(db: Database, name: string): Pick<TableDescription, "foreignKeys" | "indexes"> {
  const keys = new Map<bigint, ForeignKey>();
  for (const [id, table, from, to] of rows<[bigint, string, string, string | null]>(
    db,
    `SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq`,
    name,
  )) {
    const key = keys.get(id) ?? { columns: [], table, references: [] };
    keys.set(id, key);
    key.columns.push(from);
    if (to !== null) key.references.push(to);
  }
  const indexes = rows<[name: string, unique: bigint]>(
    db,
    `SELECT name, "unique" FROM pragma_index_list(?) WHERE origin <> 'pk' ORDER BY name`,
    name,
  ).map(([index, unique]): IndexDescription => ({
    name: index,
    columns: rows<[string | null]>(db, "SELECT name FROM pragma_index_info(?) ORDER BY seqno", index).map(
      ([column]) => column ?? "(expression)",
    ),
    unique: unique === 1n,
  }));
  return {
    ...(keys.size > 0 && { foreignKeys: [...keys.values()] }),
    ...(indexes.length > 0 && { indexes }),
  };
}

function countRows(db: Database, name: string): number | null {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  try {
    const [counted] = rows<[bigint]>(
      db,
      `SELECT count(*) FROM (SELECT 1 FROM ${quoted} LIMIT ${COUNTED + 1})`,
    );
    if (counted !== undefined && counted[0] <= COUNTED) return Number(counted[0]);
    const [highest] = rows<[bigint]>(db, `SELECT max(rowid) FROM ${quoted}`);
    return highest === undefined ? null : Number(highest[0]);
  } catch {
    return null;
  }
}

const rows = <Row extends unknown[]>(db: Database, sql: string, ...params: string[]): Row[] =>
  db.prepare(sql).all(...params) as unknown as Row[];
