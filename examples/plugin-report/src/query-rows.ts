import { type ToolContext, ToolError } from "@toycoder/core";
import { z } from "zod";

/** What a cell may be: whatever JSON can say. */
export type Cell = string | number | boolean | null | Cell[] | { [key: string]: Cell };

export interface Table {
  columns: { name: string }[];
  rows: Cell[][];
  truncated: boolean;
  notes: string[];
}

/** Of what `query_database` ^1 returns, the part that is used here. Another plugin may be behind the name. */
const RESULT = z.object({
  columns: z.array(z.object({ name: z.string() })),
  rows: z.array(z.array(z.json())),
  truncated: z.boolean(),
  note: z.string().optional(),
});

interface Query {
  heading: string;
  sql: string;
  params: readonly (string | number | boolean | null)[];
  connection?: string | undefined;
  limit?: number | undefined;
}

/** Asks `query_database`. Throws its failure with its code, and says which section it is of. */
export async function queryRows(
  { heading, sql, params, connection, limit }: Query,
  ctx: ToolContext,
): Promise<Table> {
  const result = await ctx.dispatch("query_database", {
    sql,
    ...(params.length > 0 && { params }),
    ...(connection !== undefined && { connection }),
    ...(limit !== undefined && { limit }),
  });
  if (!result.ok) {
    const { code, message, hint } = result.error;
    throw new ToolError(
      code,
      `section ${JSON.stringify(heading)}: ${message}`,
      hint === undefined ? {} : { hint },
    );
  }
  const read = RESULT.safeParse(result.output);
  if (!read.success)
    throw new ToolError(
      "unexpected_result",
      "query_database returned something else than its version 1 does",
    );
  const { columns, rows, truncated, note } = read.data;
  return { columns, rows, truncated, notes: [...(note === undefined ? [] : [note]), ...result.notes] };
}
