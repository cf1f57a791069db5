import { Buffer } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { messageOf, SetupError } from "@toycoder/core";

/** A line of a cassette, without its end. `whole` is false for a last line that no line end follows. */
export interface CassetteLine {
  text: string;
  number: number;
  whole: boolean;
}

const CHUNK = 1 << 20;
const LINE_FEED = 10;

/**
 * The lines of a file, read piece by piece: a large one costs no more memory than its longest line. A byte order
 * mark at its start is left out. Throws a SetupError `cassette_invalid` where it cannot be read as UTF-8.
 */
export function* readLines(file: string): Generator<CassetteLine, void, undefined> {
  const descriptor = attempt(file, () => openSync(file, "r"));
  try {
    const chunk = Buffer.alloc(CHUNK);
    let begun: Buffer[] = [];
    let number = 1;
    for (;;) {
      const length = attempt(file, () => readSync(descriptor, chunk));
      if (length === 0) break;
      const bytes = chunk.subarray(0, length);
      let from = 0;
      for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, from)) {
        const line = Buffer.concat([...begun, bytes.subarray(from, end)]);
        yield { text: decode(line, file, number), number, whole: true };
        begun = [];
        from = end + 1;
        number++;
      }
      if (from < length) begun.push(Buffer.from(bytes.subarray(from)));
    }
    if (begun.length > 0) yield { text: decode(Buffer.concat(begun), file, number), number, whole: false };
  } finally {
    closeSync(descriptor);
  }
}

function attempt<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const folder = typeof error === "object" && error !== null && "code" in error && error.code === "EISDIR";
    throw new SetupError(
      "cassette_invalid",
      folder
        ? `${file} is a folder; a cassette is a file`
        : `the cassette ${file} cannot be read: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function decode(bytes: Buffer, file: string, number: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new SetupError("cassette_invalid", `${file}:${number}: this line is no UTF-8 text`, {
      hint: "a cassette is JSON Lines, as --record writes them",
      cause: error,
    });
  }
}
