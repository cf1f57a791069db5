import { Buffer } from "node:buffer";
import type { TableDescription } from "./description.ts";

interface Fitted {
  tables: TableDescription[];
  truncated: boolean;
  note?: string;
}

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** Holds tables to a size: the last ones lose their columns first, then their place. */
export function fitTables(tables: readonly TableDescription[], maxBytes: number): Fitted {
  const bare = tables.map(({ name, kind, rows }): TableDescription => ({ name, kind, rows }));
  let left = maxBytes;
  const kept = bare.filter((table) => (left -= sizeOf(table)) >= 0);
  const named = kept.length;
  let whole = 0;
  left = Math.max(left, 0);
  for (const table of tables.slice(0, named)) {
    left -= sizeOf(table) - sizeOf(bare[whole]);
    if (left < 0) break;
    kept[whole++] = table;
  }
  const notes = [
    named < tables.length ? `${tables.length - named} more tables are left out` : undefined,
    whole < named
      ? `columns are shown of the first ${whole} tables: name a table to see its columns`
      : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0
    ? { tables: kept, truncated: false }
    : { tables: kept, truncated: true, note: notes.join("; ") };
}
