import { Buffer, isUtf8 } from "node:buffer";

/** How a text file's bytes are read. `legacy`: not UTF-8; shown as Latin-1, which keeps every byte apart. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "legacy";

/** What the first bytes of a file say. `bom` is the length of the byte order mark in bytes. */
export interface Sniffed {
  encoding: "utf-8" | "utf-16le" | "utf-16be";
  bom: 0 | 2 | 3;
}

/** As many bytes of a file's start as {@link sniffEncoding} wants to see. */
export const SNIFF_BYTES = 8192;

/** The encoding by byte order mark, UTF-8 without one; `undefined` for binary content (a NUL byte). */
export function sniffEncoding(head: Uint8Array): Sniffed | undefined {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return hasNul(head) ? undefined : { encoding: "utf-8", bom: 3 };
  const isUtf32 = a === 0xff && b === 0xfe && c === 0 && d === 0;
  if (a === 0xff && b === 0xfe && !isUtf32) return { encoding: "utf-16le", bom: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", bom: 2 };
  return hasNul(head) ? undefined : { encoding: "utf-8", bom: 0 };
}

const hasNul = (head: Uint8Array): boolean => head.subarray(0, SNIFF_BYTES).includes(0);

/** Bytes of one code unit. */
export const unitWidth = (encoding: Encoding): 1 | 2 =>
  encoding === "utf-16le" || encoding === "utf-16be" ? 2 : 1;

/**
 * A file's content as a string of its code units: one character per byte, or per 16 bits in UTF-16. No byte is lost
 * but an odd last one of UTF-16, so offsets times {@link unitWidth} are byte offsets.
 */
export function toUnits(bytes: Buffer, encoding: Encoding): string {
  if (unitWidth(encoding) === 1) return bytes.toString("latin1");
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  return encoding === "utf-16le"
    ? whole.toString("utf16le")
    : Buffer.from(whole).swap16().toString("utf16le");
}

/** The bytes of a string of code units. */
export function fromUnits(units: string, encoding: Encoding): Buffer {
  if (unitWidth(encoding) === 1) return Buffer.from(units, "latin1");
  const bytes = Buffer.from(units, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

/** Text as code units of a file of that encoding. In a legacy file only ASCII keeps its meaning. */
export const encodeUnits = (text: string, encoding: Encoding): string =>
  unitWidth(encoding) === 1 ? Buffer.from(text, "utf8").toString("latin1") : text;

/** Code units as text for people: broken UTF-8 shows as U+FFFD, legacy bytes as Latin-1. */
export function decodeUnits(units: string, encoding: Encoding): string {
  return encoding === "utf-8" ? Buffer.from(units, "latin1").toString("utf8") : units;
}

/** Bytes cut out of a file as text; see {@link decodeUnits}. */
export const decodeBytes = (bytes: Buffer, encoding: Encoding): string =>
  encoding === "utf-8" ? bytes.toString("utf8") : toUnits(bytes, encoding);

/**
 * UTF-8 or legacy: whether bytes that are not all UTF-8 are mostly UTF-8 with a few broken ones, or something else
 * altogether.
 */
export function judgeBytes(bytes: Buffer): "utf-8" | "legacy" {
  if (isUtf8(bytes)) return "utf-8";
  let broken = 0;
  let whole = 0;
  for (const character of bytes.toString("utf8")) {
    if (character === "\u{FFFD}") broken++;
    else if (character > "\u{7F}") whole++;
  }
  return whole > broken ? "utf-8" : "legacy";
}

/** The offset of the first byte that is not part of valid UTF-8; -1 where all of it is valid. */
export function firstInvalidByte(bytes: Buffer): number {
  if (isUtf8(bytes)) return -1;
  let low = 0;
  let high = bytes.length;
  // `bytes[0, low)` is valid up to a character cut at its end; the first fault is before `high`.
  while (high - low > 64) {
    const middle = characterStart(bytes, (low + high) >> 1);
    if (middle <= low) break;
    if (isUtf8(bytes.subarray(low, middle))) low = middle;
    else high = middle;
  }
  for (let at = low; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(at, at + size)));
    if (length === undefined) return at;
    at += length;
  }
  return bytes.length;
}

/** The start of the character that the byte at `at` belongs to, where it is UTF-8. */
export function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && at - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
