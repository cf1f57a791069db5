import { type Authorizer, type Database, nodeSqlite } from "./node-sqlite.ts";

/** Functions that reach beyond the database: https://sqlite.org/lang_corefunc.html, /fts3.html, /cli.html. */
const REFUSED_FUNCTIONS: ReadonlySet<string> = new Set(
  "load_extension fts3_tokenizer readfile writefile edit fsdir lsmode sqlite_log".split(" "),
);

/** What the full-text modules ask of their own database while they read. */
const MODULE_PRAGMAS: ReadonlySet<string> = new Set(["data_version", "page_size"]);

/** What was refused, in SQLite's own word for the action; undefined: nothing. */
export type Refusal = () => string | undefined;

/**
 * From now on SQLite refuses to prepare what does more than read. It asks for every action of a statement after it
 * has parsed it, those of views and subqueries included: nothing depends on how a statement is written.
 */
export function authorizeReading(db: Database): Refusal {
  const { constants } = nodeSqlite();
  const { SQLITE_OK = 0, SQLITE_DENY = 1 } = constants;
  const { SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_FUNCTION, SQLITE_PRAGMA } = constants;
  let refused: string | undefined;
  const reads: Authorizer = (action, first, second) => {
    switch (action) {
      case SQLITE_SELECT:
      case SQLITE_READ:
      case SQLITE_RECURSIVE:
        return SQLITE_OK;
      case SQLITE_FUNCTION:
        if (!REFUSED_FUNCTIONS.has(second?.toLowerCase() ?? "")) return SQLITE_OK;
        refused = `function ${second}`;
        return SQLITE_DENY;
      case SQLITE_PRAGMA:
        if (second === null && MODULE_PRAGMAS.has(first?.toLowerCase() ?? "")) return SQLITE_OK;
        break;
      default:
    }
    refused = [actionName(constants, action), first].filter(Boolean).join(" ");
    return SQLITE_DENY;
  };
  db.setAuthorizer(reads);
  return () => refused;
}

/** Codes of results share the numbers of some actions, and stand before them in the list. */
const actionName = (constants: Readonly<Record<string, number>>, action: number): string | undefined =>
  Object.keys(constants)
    .findLast((key) => constants[key] === action)
    ?.replace("SQLITE_", "")
    .replaceAll("_", " ");
