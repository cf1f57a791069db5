import * as z from "zod";

/** A column of a table or view. */
export interface ColumnDescription {
  name: string;
  type: string;
  nullable: boolean;
  /** The default as the database writes it. */
  default?: string | undefined;
}

/** Columns that name a row of another table. */
export interface ForeignKey {
  columns: string[];
  table: string;
  /** Columns of `table`; empty: its primary key. */
  references: string[];
}

/** An index other than that of the primary key. */
export interface IndexDescription {
  name: string;
  /** An expression stands as the database writes it. */
  columns: string[];
  unique: boolean;
}

/** A table or view; what is missing was left out or is not there. */
export interface TableDescription {
  name: string;
  /** table, view, materialized view, virtual table, foreign table, partitioned table */
  kind: string;
  /** About how many rows; null: not known. */
  rows: number | null;
  columns?: ColumnDescription[] | undefined;
  primaryKey?: string[] | undefined;
  foreignKeys?: ForeignKey[] | undefined;
  indexes?: IndexDescription[] | undefined;
}

/** What `describe_database` returns. */
export interface Description {
  connection: string;
  /** `SQLite 3.53.4`, `PostgreSQL 15.7` */
  engine: string;
  tables: TableDescription[];
  /** Whether something was left out; `note` says what, and how to get it. */
  truncated: boolean;
  note?: string | undefined;
}

const names = z.array(z.string());

export const description: z.ZodType<Description> = z.object({
  connection: z.string(),
  engine: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      rows: z.number().nullable(),
      columns: z
        .array(
          z.object({
            name: z.string(),
            type: z.string(),
            nullable: z.boolean(),
            default: z.string().optional(),
          }),
        )
        .optional(),
      primaryKey: names.optional(),
      foreignKeys: z.array(z.object({ columns: names, table: z.string(), references: names })).optional(),
      indexes: z.array(z.object({ name: z.string(), columns: names, unique: z.boolean() })).optional(),
    }),
  ),
  truncated: z.boolean(),
  note: z.string().optional(),
});
