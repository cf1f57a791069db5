import type { Buffer } from "node:buffer";

/** Bytes of a line that are shown at most, and how many of them come before the match. */
export const SHOWN = 400;
const LEAD = 120;

/** Where the shown part of a line starts, given the match's column in bytes from 1 (0: no match). */
export const windowStart = (column: number): number => (column - 1 + LEAD < SHOWN ? 0 : column - 1 - LEAD);

/**
 * Text of a line around its match, cut at whole characters and marked with `…` where it was cut. `bytes` is the
 * line from byte `from` on, and may end early; `more`: the line goes on behind it.
 */
export function cutLine(bytes: Buffer, column: number, from = 0, more = false): string {
  const whole = !more && bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
  if (from === 0 && !more && whole.length <= SHOWN) return whole.toString("utf8");
  let start = Math.max(0, windowStart(column) - from);
  let end = Math.min(whole.length, start + SHOWN);
  const cutBefore = from + start > 0;
  const cutAfter = more || end < whole.length;
  if (cutBefore) while (start < end && isContinuation(whole[start])) start++;
  if (cutAfter) end = characterEnd(whole, start, end);
  return `${cutBefore ? "…" : ""}${whole.toString("utf8", start, end)}${cutAfter ? "…" : ""}`;
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** `end`, or before it where it would split a character. */
function characterEnd(bytes: Buffer, start: number, end: number): number {
  let at = end - 1;
  while (at > start && end - at < 4 && isContinuation(bytes[at])) at--;
  const first = bytes[at] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return at + length > end ? at : end;
}
