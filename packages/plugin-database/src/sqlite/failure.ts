/** An expected failure, in a form that goes from one process to another. */
export interface FailureInfo {
  code: string;
  message: string;
  hint?: string | undefined;
}

export class Failure extends Error {
  readonly info: FailureInfo;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.info = { code, message, hint };
  }
}

export const ONE_QUERY = "give one reading statement: SELECT, VALUES, or WITH … SELECT";
const SHOW_TABLES = "describe_database shows the tables and their columns";

/** Result codes of SQLite, https://sqlite.org/rescode.html, and what they mean for the one who asks. */
const CODES: Readonly<Record<number, [code: string, hint: string]>> = {
  1: ["sql_error", SHOW_TABLES],
  5: ["database_locked", "another process writes to it: try again later"],
  6: ["database_locked", "another process writes to it: try again later"],
  7: ["out_of_memory", "narrow the statement, or read long values in parts with substr"],
  8: ["statement_refused", ONE_QUERY],
  9: ["timeout", "narrow the statement"],
  11: [
    "database_damaged",
    "the file is damaged, or was changed while it was read: PRAGMA integrity_check, by a person",
  ],
  14: ["database_unreadable", "check that the file and its folder can be read"],
  18: ["value_too_large", "a value may have 64 MB: read it in parts with substr"],
  23: ["statement_refused", ONE_QUERY],
  25: ["wrong_parameters", "a placeholder is ? or $1, and each needs a value in params"],
  26: ["not_a_database", "the file is no SQLite database, or an encrypted one"],
};
/** A writer was killed and left its journal: reading would have to put the file back first. */
const READONLY_ROLLBACK = 776;

/** What went wrong, for whoever sent the statement. `refused`: what the authorizer turned away. */
export function failureOf(error: unknown, refused?: string): FailureInfo {
  if (error instanceof Failure) return error.info;
  const { message = String(error), errcode } = error as { message?: string; errcode?: number };
  if (refused !== undefined) {
    return {
      code: "statement_refused",
      message: `SQLite refuses ${refused}: this connection only reads`,
      hint: ONE_QUERY,
    };
  }
  if (errcode === READONLY_ROLLBACK) {
    return {
      code: "database_unreadable",
      message: "a writer was interrupted and left its journal, and a reader may not put the file back",
      hint: "a person has to open it once with a program that may write",
    };
  }
  const [code, hint] = (errcode === undefined ? undefined : CODES[errcode & 0xff]) ?? [
    "sql_error",
    SHOW_TABLES,
  ];
  return { code, message, hint };
}
