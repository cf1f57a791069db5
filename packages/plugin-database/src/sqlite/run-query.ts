import type { SQLInputValue } from "node:sqlite";
import { floatValue, integerValue, RowCollector } from "../collect-rows.ts";
import type { Answer, Parameter, Query } from "../engine.ts";
import type { Value } from "../query-result.ts";
import { authorizeReading } from "./authorize-reading.ts";
import { Failure, failureOf, ONE_QUERY } from "./failure.ts";
import type { Database } from "./node-sqlite.ts";

type Stored = null | bigint | number | string | Uint8Array;

/** Runs one reading statement. Throws a Failure; SQLite itself turns away what does more than read. */
export function runQuery(db: Database, query: Query): Answer {
  connectModules(db);
  const refusal = authorizeReading(db);
  try {
    return collect(db, query);
  } catch (error) {
    const { code, message, hint } = failureOf(error, refusal());
    throw new Failure(code, message, hint);
  }
}

function collect(db: Database, { sql, params, ...room }: Query): Answer {
  const statement = db.prepare(sql);
  refuseRest(db, sql.slice(statement.sourceSQL.length));
  checkParameters(db, sql, params);
  const columns = statement.columns().map(({ name, type }) => ({ name, type: type ?? "" }));
  const classes = columns.map(() => "null");
  const collector = new RowCollector(columns, room);
  for (const row of iterate(statement, params)) {
    for (const [at, value] of row.entries()) if (classes[at] === "null") classes[at] = classOf(value);
    if (!collector.add(row.map(jsonValue))) break;
  }
  const typed = columns.map(({ name, type }, at) => ({ name, type: type || (classes[at] ?? "null") }));
  return { columns: typed, ...collector.end() };
}

/** Virtual tables prepare statements of their own when they are first used, which are not the caller's. */
function connectModules(db: Database): void {
  const tables = db.prepare("SELECT name FROM pragma_table_list WHERE type = 'virtual'").all();
  for (const [name] of tables as unknown as [string][]) {
    try {
      db.prepare(`SELECT 1 FROM "${name.replaceAll('"', '""')}" LIMIT 0`);
    } catch {
      // A module that this SQLite does not have: the statement that uses it will say so.
    }
  }
}

/** SQLite prepares the first of several statements and passes over the rest. */
function refuseRest(db: Database, rest: string): void {
  try {
    db.prepare(rest);
  } catch (error) {
    // Nothing but white space and comments.
    if ((error as NodeJS.ErrnoException).code === "ERR_INVALID_ARG_VALUE") return;
  }
  throw new Failure("statement_refused", "there is more than one statement", ONE_QUERY);
}

/** SQLite takes a missing value for NULL. Its own program for the statement tells how many there have to be. */
function checkParameters(db: Database, sql: string, params: readonly Parameter[]): void {
  const variables = programOf(db, sql).filter(([, opcode]) => opcode === "Variable");
  const needed = Math.max(0, ...variables.map(([, , number]) => Number(number)));
  if (needed <= params.length) return;
  throw new Failure(
    "wrong_parameters",
    `the statement has ${needed} placeholders, and params has ${params.length} values`,
    "a placeholder is ? or $1, and each needs a value in params",
  );
}

/** https://sqlite.org/opcode.html; empty for what is an EXPLAIN itself. */
function programOf(db: Database, sql: string): [address: bigint, opcode: string, p1: bigint][] {
  try {
    return db.prepare(`EXPLAIN ${sql}`).all() as never;
  } catch {
    return [];
  }
}

/** Binds to `?` in order or to `$1`, `$2` by name. */
function iterate(
  statement: ReturnType<Database["prepare"]>,
  params: readonly Parameter[],
): Iterable<Stored[]> {
  const values = params.map(boundValue);
  const rows = (iterator: unknown): Iterable<Stored[]> => iterator as Iterable<Stored[]>;
  try {
    return rows(statement.iterate(...values));
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== 25) throw error;
  }
  const named = Object.fromEntries(values.map((value, at) => [`$${at + 1}`, value]));
  try {
    return rows(statement.iterate(named));
  } catch {
    throw new Failure(
      "wrong_parameters",
      `params has ${params.length} values, and the statement has not as many placeholders`,
      "a placeholder is ? or $1, and each value in params needs one",
    );
  }
}

function boundValue(value: Parameter): SQLInputValue {
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

function jsonValue(value: Stored): Value | Uint8Array {
  if (typeof value === "bigint") return integerValue(value);
  return typeof value === "number" ? floatValue(value) : value;
}

/** The storage class of a value: the type of a column that has none, such as an expression. */
function classOf(value: Stored): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return "real";
  return typeof value === "string" ? "text" : "blob";
}
