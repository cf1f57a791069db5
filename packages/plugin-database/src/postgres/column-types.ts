import type { Client, FieldDef } from "pg";

/** A type as the server names it; `base` is the built-in type by which its values are read. */
export interface ColumnType {
  name: string;
  base: string;
  /** Of an array: the elements' type, and what stands between them. */
  element?: { base: string; delimiter: string };
}

interface TypeRow {
  base: string;
  element: string | null;
  delimiter: string;
  name: string;
}

/** The types of a result's columns, in the server's own words: `numeric(10,2)`, `integer[]`. */
export async function columnTypes(client: Client, fields: readonly FieldDef[]): Promise<ColumnType[]> {
  const { rows } = await client.query<TypeRow>({
    text: `SELECT t.typname AS base, e.typname AS element, coalesce(e.typdelim, ',') AS delimiter,
                  pg_catalog.format_type(f.oid, f.modifier) AS name
             FROM ROWS FROM (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::integer[]))
                  WITH ORDINALITY AS f (oid, modifier, place)
             JOIN pg_catalog.pg_type t ON t.oid = f.oid
             LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
             ORDER BY f.place`,
    values: [
      fields.map(({ dataTypeID }) => dataTypeID),
      fields.map(({ dataTypeModifier }) => dataTypeModifier),
    ] as never,
  });
  return rows.map(({ name, base, element, delimiter }) =>
    element === null ? { name, base } : { name, base, element: { base: element, delimiter } },
  );
}
