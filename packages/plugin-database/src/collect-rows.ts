import { Buffer } from "node:buffer";
import type { BytesValue, Column, Value } from "./query-result.ts";

/** What a result has room for. */
interface Room {
  maxRows: number;
  maxBytes: number;
}

/** What is left of a statement's rows when rows, bytes and cells are held to their limits. */
export interface Collected {
  rows: Value[][];
  rowCount: number;
  truncated: boolean;
  note?: string;
}

/** Takes rows as long as there is room. One value has a quarter of the room: what is longer is cut, and says so. */
export class RowCollector {
  readonly #room: Room;
  readonly #columns: readonly Pick<Column, "name">[];
  readonly #rows: Value[][] = [];
  readonly #cut = new Set<string>();
  #bytes = 0;
  #full: "rows" | "bytes" | undefined;

  constructor(columns: readonly Pick<Column, "name">[], room: Room) {
    this.#columns = columns;
    this.#room = room;
  }

  /** False where the row has no place any more. */
  add(values: readonly (Value | Uint8Array)[]): boolean {
    const { maxRows, maxBytes } = this.#room;
    if (this.#rows.length >= maxRows) {
      this.#full = "rows";
      return false;
    }
    const row = values.map((value, at) => this.#fit(value, at));
    const size = Buffer.byteLength(JSON.stringify(row));
    if (this.#bytes + size > maxBytes) {
      this.#full = "bytes";
      return false;
    }
    this.#bytes += size;
    this.#rows.push(row);
    return true;
  }

  end(): Collected {
    const notes = [this.#rest(), this.#cutNote()].filter((note) => note !== undefined);
    const collected = { rows: this.#rows, rowCount: this.#rows.length, truncated: notes.length > 0 };
    return notes.length === 0 ? collected : { ...collected, note: notes.join("; ") };
  }

  #fit(value: Value | Uint8Array, at: number): Value {
    const most = Math.floor(this.#room.maxBytes / 4);
    if (value instanceof Uint8Array) {
      const shown = bytesValue(value, Math.floor(most / 4) * 3);
      if (shown.cut === true) this.#cut.add(this.#columns[at]?.name ?? "");
      return shown;
    }
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
    if (typeof text !== "string" || text.length <= most) return value;
    this.#cut.add(this.#columns[at]?.name ?? "");
    return `${cutText(text, most)}… [cut: ${text.length} characters]`;
  }

  #rest(): string | undefined {
    const { length } = this.#rows;
    if (this.#full === "rows") {
      return `there are more than these ${length} rows: aggregate, narrow with WHERE, or page with ORDER BY … LIMIT ${length} OFFSET ${length}`;
    }
    if (this.#full !== "bytes") return undefined;
    const { maxBytes } = this.#room;
    return length === 0
      ? `the first row alone is over ${maxBytes} bytes: select fewer columns, or parts of them with substr(column, 1, 500)`
      : `there are more rows, but over ${maxBytes} bytes: select fewer or shorter columns, or page with ORDER BY … LIMIT ${length} OFFSET ${length}`;
  }

  #cutNote(): string | undefined {
    if (this.#cut.size === 0) return undefined;
    return `long values are cut in ${[...this.#cut].join(", ")}: read the rest with substr(column, start, length)`;
  }
}

/** The first `most` characters at most, without half of a surrogate pair. */
function cutText(text: string, most: number): string {
  const kept = text.slice(0, most);
  return kept.isWellFormed() ? kept : kept.slice(0, -1);
}

function bytesValue(bytes: Uint8Array, most: number): BytesValue {
  const base64 = Buffer.from(bytes.subarray(0, most)).toString("base64");
  return bytes.length > most ? { bytes: bytes.length, base64, cut: true } : { bytes: bytes.length, base64 };
}

const SAFEST = BigInt(Number.MAX_SAFE_INTEGER);

/** An integer as JSON: a number where every reader takes it exactly, else a text. */
export const integerValue = (value: bigint): number | string =>
  value <= SAFEST && value >= -SAFEST ? Number(value) : value.toString();

/** A floating-point number as JSON, which has no NaN and no infinities: they are texts. */
export const floatValue = (value: number): number | string =>
  Number.isFinite(value) ? value : String(value);
