import { isToolError, ToolError } from "@toycoder/core";

const ONE_QUERY =
  "give one query: SELECT, VALUES, TABLE, or WITH … SELECT; nothing that writes, no second statement, no EXPLAIN, SHOW or SET";
const SHOW_TABLES = "describe_database shows the tables and their columns";

/** SQLSTATEs, https://www.postgresql.org/docs/current/errcodes-appendix.html, and what they mean here. */
const STATES: Readonly<Record<string, [code: string, hint: string]>> = {
  "0A000": ["statement_refused", ONE_QUERY],
  "25001": ["statement_refused", ONE_QUERY],
  "25006": ["statement_refused", ONE_QUERY],
  "42501": ["not_permitted", "the role of this connection may not do this: ask for what it may read"],
  "42601": ["sql_error", ONE_QUERY],
  "42P01": ["sql_error", SHOW_TABLES],
  "42703": ["sql_error", SHOW_TABLES],
  "42883": ["sql_error", "no function or operator takes these types: a cast may help ($1::integer)"],
  "42P18": ["wrong_parameters", "say the parameter's type: $1::integer"],
  "22P02": ["wrong_parameters", "a value does not have the type that its place has: cast one of them"],
  "08P01": ["wrong_parameters", "each placeholder $1, $2 … needs a value in params, and each value one"],
  "57014": ["timeout", "narrow it: fewer rows, an indexed column in WHERE"],
  "55P03": ["database_locked", "another transaction holds the table: try again later"],
  "57P01": ["connection_failed", "the server ended the connection: try again"],
  "53200": ["out_of_memory", "narrow the statement"],
};

interface ServerError {
  code?: string;
  message?: string;
  detail?: string;
  hint?: string;
  position?: string;
}

/** What the server says of a statement. `prefix`: characters that stand before it where it was sent. */
export function statementFailure(error: unknown, prefix: number): unknown {
  if (isToolError(error)) return error;
  const { code = "", message = "", detail, hint, position } = error as ServerError;
  if (!/^[0-9A-Z]{5}$/.test(code)) {
    return new ToolError("connection_failed", message === "" ? "the connection broke" : message, {
      hint: "is the server still there? try again",
    });
  }
  const [kind, advice] = STATES[code] ?? ["sql_error", undefined];
  const at = position === undefined ? undefined : Number(position) - prefix;
  const place = at !== undefined && at > 0 ? ` (at character ${at})` : "";
  const said = [`${message}${place}`, detail].filter((text) => text !== undefined).join("; ");
  const hints = [hint, advice].filter((text) => text !== undefined).join("; ");
  return new ToolError(kind, said, hints === "" ? {} : { hint: hints });
}
