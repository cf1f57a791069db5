import type { Client, FieldDef } from "pg";
import { RowCollector } from "../collect-rows.ts";
import type { Answer, Query } from "../engine.ts";
import { columnTypes } from "./column-types.ts";
import { decodeValue } from "./decode-value.ts";
import { statementFailure } from "./statement-failure.ts";

/**
 * A cursor can be declared for a query and for nothing else: the server's own grammar has no place for another
 * statement there, and none for a `WITH` that writes. https://www.postgresql.org/docs/current/sql-declare.html
 */
const DECLARE = "DECLARE toycoder NO SCROLL CURSOR WITHOUT HOLD FOR ";

/** Runs one query in the open transaction. Throws a ToolError. */
export async function runQuery(client: Client, { sql, params, ...room }: Query): Promise<Answer> {
  try {
    // The extended protocol takes one statement, whatever the text holds; `pg` uses it unasked only for parameters.
    const declared = { text: DECLARE + sql, values: params.map(asText) as never, queryMode: "extended" };
    await client.query(declared);
    const { rows, fields } = await client.query<(string | null)[]>({
      text: `FETCH FORWARD ${room.maxRows + 1} FROM toycoder`,
      rowMode: "array",
    });
    return await collect(client, fields, rows, room);
  } catch (error) {
    throw statementFailure(error, DECLARE.length);
  }
}

const asText = (value: Query["params"][number]): string | null => (value === null ? null : String(value));

async function collect(
  client: Client,
  fields: readonly FieldDef[],
  rows: readonly (string | null)[][],
  room: Pick<Query, "maxRows" | "maxBytes">,
): Promise<Answer> {
  const types = await columnTypes(client, fields);
  const columns = fields.map(({ name }, at) => ({ name, type: types[at]?.name ?? "unknown" }));
  const collector = new RowCollector(columns, room);
  for (const row of rows) {
    const values = row.map((text, at) => (text === null ? null : decodeValue(text, types[at])));
    if (!collector.add(values)) break;
  }
  return { columns, ...collector.end() };
}
