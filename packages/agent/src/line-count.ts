/** Bytes that can be read piece by piece. */
export interface Source {
  size: number;
  read(start: number, length: number): Buffer;
  close?: () => void;
}

const CHUNK = 65_536;
/** Beyond this many differing lines the count is an upper bound: all old lines deleted, all new ones added. */
const MAX_LINES = 2000;

/**
 * Lines added and deleted between two contents. Only what lies between their common beginning and end is held in
 * memory.
 */
export function countLines(before: Source, after: Source): { additions: number; deletions: number } {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  if (before.size === after.size && start === before.size) return { additions: 0, deletions: 0 };
  const old = linesOf(before, start, before.size - end);
  const now = linesOf(after, start, after.size - end);
  const kept = old.length > MAX_LINES || now.length > MAX_LINES ? 0 : commonLines(old, now);
  return { additions: now.length - kept, deletions: old.length - kept };
}

/** Bytes of whole lines that both contents begin with. */
export function commonStart(a: Source, b: Source): number {
  const limit = Math.min(a.size, b.size);
  let lineStart = 0;
  for (let at = 0; at < limit; at += CHUNK) {
    const length = Math.min(CHUNK, limit - at);
    const left = a.read(at, length);
    const right = b.read(at, length);
    let same = length;
    if (!left.equals(right)) {
      same = 0;
      while (left[same] === right[same]) same++;
    }
    const newline = same === 0 ? -1 : left.lastIndexOf(10, same - 1);
    if (newline !== -1) lineStart = at + newline + 1;
    if (same < length) return lineStart;
  }
  return a.size === b.size ? limit : lineStart;
}

/** Bytes of whole lines that both contents end with, not reaching back over `start`. */
export function commonEnd(a: Source, b: Source, start: number): number {
  const limit = Math.min(a.size, b.size) - start;
  let common = 0;
  for (let at = 0; at < limit; at += CHUNK) {
    const length = Math.min(CHUNK, limit - at);
    const left = a.read(a.size - at - length, length);
    const right = b.read(b.size - at - length, length);
    let same = 0;
    while (same < length && left[length - 1 - same] === right[length - 1 - same]) same++;
    // Only from after a newline on: the line that holds the difference is not common.
    const first = left.indexOf(10, length - same);
    if (first !== -1 && first < length - 1) common = at + length - 1 - first;
    if (same < length) return common;
  }
  return common;
}

/** The lines of a part, one character a byte, each with its LF. */
export function linesOf(source: Source, start: number, end: number): string[] {
  if (end <= start) return [];
  const lines = source
    .read(start, end - start)
    .toString("latin1")
    .split("\n");
  // A final newline ends the last line; it starts no further one.
  const open = lines.pop();
  const whole = lines.map((line) => `${line}\n`);
  return open === undefined || open === "" ? whole : [...whole, open];
}

/** The length of the longest common subsequence of two lists of lines. */
function commonLines(a: readonly string[], b: readonly string[]): number {
  let row = new Uint32Array(b.length + 1);
  for (const line of a) {
    const next = new Uint32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++) {
      next[j] = line === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
