import { fitLineEnds, lineEndAt, lineEndBefore, lineEndFinder } from "./line-ends.ts";
import type { Region } from "./regions.ts";

/** A place in a text, in code units; `end` is exclusive. */
export interface Match {
  start: number;
  end: number;
}

/**
 * Every place of `wanted` in `text`, both as code units of one file, in ascending order. An LF of a `wanted`
 * without CR stands for any line end (CR LF, LF, lone CR), whole. With `overlapping` also places that share
 * units with an earlier one; else the leftmost of those alone.
 */
export function findMatches(text: string, wanted: string, overlapping: boolean): Match[] {
  if (wanted === "") return [];
  const loose = wanted.includes("\n") && !wanted.includes("\r") && text.includes("\r");
  return loose ? looseMatches(text, wanted, overlapping) : exactMatches(text, wanted, overlapping);
}

function exactMatches(text: string, wanted: string, overlapping: boolean): Match[] {
  const matches: Match[] = [];
  const step = overlapping ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) {
    matches.push({ start: at, end: at + wanted.length });
  }
  return matches;
}

function looseMatches(text: string, wanted: string, overlapping: boolean): Match[] {
  const lines = wanted.split("\n");
  const anchor = lines.reduce(
    (best, line, index) => (line.length > (lines[best]?.length ?? 0) ? index : best),
    0,
  );
  const matches: Match[] = [];
  let free = 0;
  for (const at of anchorPlaces(text, lines[anchor] ?? "")) {
    const start = matchBack(text, at, lines, anchor);
    if (start === -1 || (!overlapping && start < free)) continue;
    const end = matchOn(text, at, lines, anchor);
    if (end === -1) continue;
    matches.push({ start, end });
    free = end;
  }
  return matches;
}

/** Where the longest line occurs; where all lines are empty, every line end. */
function* anchorPlaces(text: string, line: string): Generator<number> {
  if (line !== "") {
    for (let at = text.indexOf(line); at !== -1; at = text.indexOf(line, at + 1)) yield at;
    return;
  }
  for (let at = 0; at < text.length;) {
    const length = lineEndAt(text, at);
    if (length > 0) yield at;
    at += length || 1;
  }
}

/** Where the match starts, given that line `index` starts at `at`; -1 where the lines before don't fit. */
function matchBack(text: string, at: number, lines: readonly string[], index: number): number {
  let start = at;
  for (const line of lines.slice(0, index).reverse()) {
    const length = lineEndBefore(text, start);
    if (length === 0 || !text.endsWith(line, start - length)) return -1;
    start -= length + line.length;
  }
  return start;
}

/** Where the match ends, given that line `index` is at `at`; -1 where the lines after don't fit. */
function matchOn(text: string, at: number, lines: readonly string[], index: number): number {
  let end = at + (lines[index]?.length ?? 0);
  for (const line of lines.slice(index + 1)) {
    const length = lineEndAt(text, end);
    if (length === 0 || !text.startsWith(line, end + length)) return -1;
    end += length + line.length;
  }
  return end;
}

/** A text after a splice, and what became of which part. */
export interface Spliced {
  text: string;
  regions: Region[];
}

/**
 * Puts `inserted` in the place of each match (ascending, not overlapping), literally; everything else stays. Its
 * LFs take the line ends of what they replace, unless `wanted` names its line ends itself with a CR.
 */
export function splice(text: string, matches: readonly Match[], wanted: string, inserted: string): Spliced {
  const fits = inserted.includes("\n") && !wanted.includes("\r") && text.includes("\r");
  const endAround = lineEndFinder(text);
  const parts: string[] = [];
  const regions: Region[] = [];
  let done = 0;
  let shift = 0;
  for (const { start, end } of matches) {
    const put = fits
      ? fitLineEnds(inserted, wanted, text.slice(start, end).match(/\r\n|\n|\r/g) ?? [], () =>
          endAround(start, end),
        )
      : inserted;
    parts.push(text.slice(done, start), put);
    const afterStart = start + shift;
    regions.push({ beforeStart: start, beforeEnd: end, afterStart, afterEnd: afterStart + put.length });
    shift += put.length - (end - start);
    done = end;
  }
  parts.push(text.slice(done));
  return { text: parts.join(""), regions };
}
