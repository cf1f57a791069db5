import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ByteSource } from "./byte-source.ts";
import { type Encoding, unitWidth } from "./encoding.ts";
import { HASHED } from "./seen-files.ts";

/** Bytes between two checkpoints: what it takes at most to find a line. */
export const CHUNK: number = 256 * 1024;

/** Where the lines of a file are, in a few bytes per {@link CHUNK}. A line ends with LF, or with the file. */
export interface LineIndex {
  readonly lines: number;
  readonly encoding: Encoding;
  /** The file's hash, for files up to {@link HASHED} bytes. */
  readonly hash?: string;
  /** How many LFs come before each chunk. */
  readonly checkpoints: readonly number[];
}

/** Reads the whole source once. Rejects with the signal's reason when it aborts. */
export async function buildLineIndex(
  source: ByteSource,
  encoding: Encoding,
  signal: AbortSignal,
): Promise<LineIndex> {
  const checkpoints: number[] = [];
  const hash = source.size <= HASHED ? createHash("sha256") : undefined;
  let feeds = 0;
  let endsOpen = false;
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, source.size));
  for (let position = 0; position < source.size; position += CHUNK) {
    signal.throwIfAborted();
    const chunk = await source.read(position, CHUNK, buffer);
    if (chunk.length === 0) break;
    checkpoints.push(feeds);
    feeds += countLineFeeds(chunk, encoding);
    hash?.update(chunk);
    endsOpen = findLineFeed(chunk, Math.max(0, chunk.length - unitWidth(encoding)), encoding) === -1;
  }
  const lines = feeds + (endsOpen ? 1 : 0);
  return { lines, encoding, checkpoints, ...(hash !== undefined && { hash: hash.digest("base64") }) };
}

/** The offset of line `line` (from 1), which must exist. */
export async function lineStart(source: ByteSource, index: LineIndex, line: number): Promise<number> {
  if (line === 1) return 0;
  const { checkpoints, encoding } = index;
  let low = 0;
  let high = checkpoints.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((checkpoints[middle] ?? 0) < line - 1) low = middle;
    else high = middle - 1;
  }
  const chunk = await source.read(low * CHUNK, CHUNK);
  let at = 0;
  for (let left = line - 1 - (checkpoints[low] ?? 0); left > 0; left--) {
    const feed = findLineFeed(chunk, at, encoding);
    if (feed === -1) break;
    at = feed + unitWidth(encoding);
  }
  return low * CHUNK + at;
}

/** The offset of the first LF from `from` (a whole number of code units) on; -1 where there is none. */
export function findLineFeed(bytes: Buffer, from: number, encoding: Encoding): number {
  if (unitWidth(encoding) === 1) return bytes.indexOf(10, from);
  const low = encoding === "utf-16le" ? 0 : 1;
  for (let at = bytes.indexOf(10, from + low); at !== -1; at = bytes.indexOf(10, at + 1)) {
    const start = at - low;
    if (start % 2 === 0 && bytes[start + 1 - low] === 0) return start;
  }
  return -1;
}

function countLineFeeds(bytes: Buffer, encoding: Encoding): number {
  if (unitWidth(encoding) === 1) return countByte10(bytes);
  let count = 0;
  for (let at = findLineFeed(bytes, 0, encoding); at !== -1; at = findLineFeed(bytes, at + 2, encoding))
    count++;
  return count;
}

/** Counts the bytes 0x0a, four at a time. */
function countByte10(bytes: Buffer): number {
  const head = Math.min((4 - (bytes.byteOffset % 4)) % 4, bytes.length);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + head, (bytes.length - head) >> 2);
  let count = 0;
  for (let index = 0; index < words.length; index++) {
    // A byte is zero where it was 0x0a; the carry trick leaves a high bit on all others.
    const word = (words[index] ?? 0) ^ 0x0a0a0a0a;
    const zeros = ~(((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word) & 0x80808080;
    count += Math.imul(zeros >>> 7, 0x01010101) >>> 24;
  }
  for (let at = 0; at < head; at++) if (bytes[at] === 10) count++;
  for (let at = head + words.length * 4; at < bytes.length; at++) if (bytes[at] === 10) count++;
  return count;
}
