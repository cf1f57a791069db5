import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Failure } from "./failure.ts";
import { type Database, nodeSqlite } from "./node-sqlite.ts";

const MAGIC = "SQLite format 3\0";
/** Byte 18 of the header, https://sqlite.org/fileformat.html: 2 for a write-ahead log. */
const WRITE_VERSION = 18;
/** How long to wait for another process that writes. */
const BUSY_MS = 2_000;
/** The longest value, https://sqlite.org/limits.html; one statement can ask for a gigabyte otherwise. */
const LIMITS = { length: 64_000_000, sqlLength: 1_000_000, attach: 0 };

/**
 * Opens a file for reading only, does `work` and closes it. Makes no file where there is none.
 *
 * A database with a write-ahead log that nobody has open is read as a file that does not change: SQLite would put a
 * `-wal` and a `-shm` beside it and leave them there. Where it has changed in the meantime, `work` is done again with locks.
 */
export function readDatabase<T>(file: string, work: (db: Database) => T): T {
  const before = look(file);
  if (!before.restingLog) return open(file, work);
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  const outcome = settle(() => open(url, work));
  if (look(file).state !== before.state) return open(file, work);
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

function open<T>(location: string | URL, work: (db: Database) => T): T {
  const { DatabaseSync } = nodeSqlite();
  requireAuthorizer(DatabaseSync.prototype);
  const db = new DatabaseSync(location, {
    readOnly: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    timeout: BUSY_MS,
    readBigInts: true,
    returnArrays: true,
    limits: LIMITS,
  });
  try {
    db.enableDefensive(true);
    // Nothing of a sort goes to a temporary file; functions in a hostile schema don't run.
    db.exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY");
    return work(db);
  } finally {
    db.close();
  }
}

/** Without the authorizer, a statement could attach other files and write new ones: then nothing is run. */
export function requireAuthorizer(prototype: object): void {
  if ("setAuthorizer" in prototype && "enableDefensive" in prototype) return;
  throw new Failure(
    "unsupported_node",
    `SQLite can be held to reading from Node 24.10 on; this is ${process.version}`,
    "run with a newer Node; PostgreSQL connections work with this one",
  );
}

/** What kind of file it is, and a text that is another one after every change. */
function look(file: string): { restingLog: boolean; state: string } {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) {
    throw new Failure(
      "database_not_found",
      "the database file does not exist",
      "correct the path in the config",
    );
  }
  if (!stat.isFile())
    throw new Failure("not_a_database", "the path is not a file", "correct the path in the config");
  const header = readHeader(file);
  if (header.length > 0 && header.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new Failure("not_a_database", "the file is no SQLite database, or an encrypted one");
  }
  const log = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  const resting = (log?.size ?? 0n) === 0n;
  return {
    restingLog: resting && header[WRITE_VERSION] === 2,
    state: [stat.mtimeNs, stat.size, stat.ino, resting].join(" "),
  };
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(100);
  const handle = openSync(file, "r");
  try {
    return header.subarray(0, readSync(handle, header, 0, header.length, 0));
  } finally {
    closeSync(handle);
  }
}

type Outcome<T> = { ok: true; value: T } | { ok: false; error: unknown };

function settle<T>(work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
