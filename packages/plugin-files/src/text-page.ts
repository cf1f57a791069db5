import { Buffer } from "node:buffer";
import type { ByteSource } from "./byte-source.ts";
import { characterStart, decodeBytes, type Encoding, judgeBytes, unitWidth } from "./encoding.ts";
import { CHUNK, findLineFeed, type LineIndex, lineStart } from "./line-index.ts";

/** Bytes of a line that a page shows at most, and of all its lines together. */
const LINE_BYTES = 2000;
const PAGE_BYTES = 24_000;

export interface PageRequest {
  /** The first line, from 1; it exists. */
  offset: number;
  limit: number;
  /** The byte of the first line to start with, from 1. */
  column: number;
  /** Bytes of the byte order mark, which belongs to no line. */
  bom: number;
}

export interface TextPage {
  /** The number of the last line shown. */
  last: number;
  /** What the text was shown as. */
  encoding: Encoding;
  /** Lines `n: text`, long ones cut with a mark. */
  text: string;
}

interface Piece {
  line: number;
  bytes: Buffer;
  /** The column where the rest of the line begins, and how many bytes that is; absent where the line is whole. */
  rest?: { column: number; bytes: number };
}

/** Reads one page. Never more than a few chunks of the source are in memory. */
export async function readPage(source: ByteSource, index: LineIndex, page: PageRequest): Promise<TextPage> {
  const width = unitWidth(index.encoding);
  const pieces: Piece[] = [];
  const end = Math.min(index.lines, page.offset + page.limit - 1);
  let start = await lineStart(source, index, page.offset);
  let window = { position: start, bytes: await source.read(start, CHUNK) };
  let total = 0;
  for (let line = page.offset; line <= end && total < PAGE_BYTES; line++) {
    if (findLineFeed(window.bytes, start - window.position, index.encoding) === -1) {
      window = { position: start, bytes: await source.read(start, CHUNK) };
    }
    const feed = findLineFeed(window.bytes, start - window.position, index.encoding);
    const next =
      feed !== -1
        ? window.position + feed + width
        : line < index.lines
          ? await lineStart(source, index, line + 1)
          : source.size;
    const hasFeed = feed !== -1 || line < index.lines;
    const from = start + (line === 1 ? page.bom : 0);
    const column = line === page.offset ? page.column : 1;
    const piece = await readPiece(
      source,
      window,
      { from, to: next - (hasFeed ? width : 0) },
      column,
      index.encoding,
    );
    pieces.push({ line, ...piece });
    total += piece.bytes.length + 8;
    start = next;
  }
  const encoding =
    index.encoding === "utf-8" ? judgeBytes(Buffer.concat(pieces.map((one) => one.bytes))) : index.encoding;
  return {
    last: pieces.at(-1)?.line ?? page.offset,
    encoding,
    text: pieces.map((piece) => showPiece(piece, encoding)).join("\n"),
  };
}

/** The part of a line (`from` to `to` in the source, without its LF) from `column` on. */
async function readPiece(
  source: ByteSource,
  window: { position: number; bytes: Buffer },
  line: { from: number; to: number },
  column: number,
  encoding: Encoding,
): Promise<Omit<Piece, "line">> {
  const start = Math.min(line.from + column - 1, line.to);
  const length = line.to - start;
  const inWindow = start + Math.min(length, LINE_BYTES + 4) <= window.position + window.bytes.length;
  const bytes = inWindow
    ? window.bytes.subarray(
        start - window.position,
        start - window.position + Math.min(length, LINE_BYTES + 4),
      )
    : await source.read(start, Math.min(length, LINE_BYTES + 4));
  if (length <= LINE_BYTES) return { bytes: withoutReturn(bytes, encoding) };
  const cut = wholeCharacters(bytes, LINE_BYTES, encoding);
  return { bytes: bytes.subarray(0, cut), rest: { column: column + cut, bytes: length - cut } };
}

/** The largest length up to `limit` that splits no character. */
function wholeCharacters(bytes: Buffer, limit: number, encoding: Encoding): number {
  if (unitWidth(encoding) === 1) return characterStart(bytes, limit);
  const even = limit - (limit % 2);
  const high = bytes[even - (encoding === "utf-16le" ? 1 : 2)] ?? 0;
  return high >= 0xd8 && high < 0xdc ? even - 2 : even;
}

function withoutReturn(bytes: Buffer, encoding: Encoding): Buffer {
  const width = unitWidth(encoding);
  const low = bytes.length - (encoding === "utf-16be" ? 1 : width);
  const isReturn =
    bytes[low] === 13 && (width === 1 || bytes[encoding === "utf-16be" ? low - 1 : low + 1] === 0);
  return isReturn ? bytes.subarray(0, bytes.length - width) : bytes;
}

function showPiece({ line, bytes, rest }: Piece, encoding: Encoding): string {
  const mark =
    rest === undefined
      ? ""
      : `… [line cut: ${rest.bytes} bytes more; read on with offset ${line}, column ${rest.column}]`;
  return `${line}: ${decodeBytes(bytes, encoding)}${mark}`;
}
