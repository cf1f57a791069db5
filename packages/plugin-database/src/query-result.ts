import * as z from "zod";

/** A value of a result: whatever JSON can say. What it can't is a text; bytes are a {@link BytesValue}. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** `bytea` and BLOB: how many there are, and those that are shown. */
export type BytesValue = { bytes: number; base64: string; cut?: true };

/** A column of a result. */
export interface Column {
  name: string;
  /** In the database's own words: `numeric(10,2)`, `INTEGER`. */
  type: string;
}

/** What `query_database` returns. Its shape is API. */
export interface QueryResult {
  connection: string;
  columns: Column[];
  /** Each in the order of `columns`. */
  rows: Value[][];
  /** How many `rows` there are. */
  rowCount: number;
  /** Whether something was left out; `note` says what, and how to get it. */
  truncated: boolean;
  note?: string | undefined;
}

export const queryResult: z.ZodType<QueryResult> = z.object({
  connection: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.custom<Value>((value) => value !== undefined))),
  rowCount: z.number().int(),
  truncated: z.boolean(),
  note: z.string().optional(),
});

/** A result as a model reads it: JSON, a line for each row. */
export function showResult({ rows, ...head }: QueryResult): string {
  const lines = rows.map((row) => JSON.stringify(row));
  const shown = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n]`;
  return `${JSON.stringify(head).slice(0, -1)},"rows":${shown}}`;
}
