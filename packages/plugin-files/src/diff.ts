import { diffLines, type LineChange, splitLines } from "./diff-lines.ts";
import type { Region } from "./regions.ts";

const CONTEXT = 3;
/** Changed lines that a diff shows at most; of a created file much fewer, since its writer knows it. */
const MAX_CHANGED = 200;
const MAX_CREATED = 10;
/** Characters of a line that a diff shows at most, and how many of them before the change. */
const MAX_LINE = 400;
const LEAD = 100;

export interface DiffInput {
  /** The path as it stands in the headers. */
  path: string;
  /** Null: the file is new. */
  before: string | null;
  after: string;
  /** What changed, ascending. All else is equal, and is not looked at. */
  regions: readonly Region[];
  /** Makes a line of code units readable. */
  show?: (line: string) => string;
}

/** A run of lines of both texts, with the number of its first line in each. */
interface Section {
  beforeLine: number;
  afterLine: number;
  changes: LineChange[];
}

/** A unified diff with three lines of context; cut where it gets long, and says so. */
export async function unifiedDiff(input: DiffInput): Promise<string> {
  const { path, before, after, regions, show = (line) => line } = input;
  const limit = before === null ? MAX_CREATED : MAX_CHANGED;
  const out = [`--- ${before === null ? "/dev/null" : `a/${path}`}`, `+++ b/${path}`];
  let left = limit;
  let cut = 0;
  for (const section of await sections(
    before ?? "",
    after,
    wholeLines(before ?? "", after, regions),
    limit,
  )) {
    for (const hunk of hunks(section)) {
      const changed = hunk.changes.filter(({ sign }) => sign !== " ").length;
      if (left > 0) out.push(...showHunk(hunk, left, show));
      cut += Math.max(0, changed - left);
      left = Math.max(0, left - changed);
    }
  }
  if (cut > 0) out.push(`[${cut}${left === 0 && before !== null ? " or more" : ""} changed lines not shown]`);
  return out.join("\n");
}

/** Regions widened to whole lines; those that then meet become one. */
function wholeLines(before: string, after: string, regions: readonly Region[]): Region[] {
  const widened: Region[] = [];
  let last: Region | undefined;
  for (const region of regions) {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = region;
    if (last !== undefined && beforeStart < last.beforeEnd) {
      const growth = afterEnd - afterStart - (beforeEnd - beforeStart);
      last.afterEnd += growth;
      if (beforeEnd <= last.beforeEnd) continue;
      last.beforeEnd = beforeEnd;
      last.afterEnd = afterEnd;
    } else {
      const lead = beforeStart - (before.lastIndexOf("\n", beforeStart - 1) + 1);
      const start = beforeStart === 0 ? 0 : lead;
      last = { beforeStart: beforeStart - start, beforeEnd, afterStart: afterStart - start, afterEnd };
      widened.push(last);
    }
    if (isLineStart(before, last.beforeEnd) && isLineStart(after, last.afterEnd)) continue;
    const rest = lineLength(before, last.beforeEnd);
    last.beforeEnd += rest;
    last.afterEnd += rest;
  }
  return widened;
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text.charCodeAt(at - 1) === 10;

/** How far it is from `at` to behind the next LF. */
function lineLength(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return (end === -1 ? text.length : end + 1) - at;
}

async function sections(
  before: string,
  after: string,
  regions: readonly Region[],
  limit: number,
): Promise<Section[]> {
  const found: Section[] = [];
  let line = 1;
  let counted = 0;
  let growth = 0;
  let changed = 0;
  let open: { section: Section; end: number } | undefined;
  const close = (): void => {
    if (open !== undefined) open.section.changes.push(...kept(linesAfter(before, open.end, CONTEXT)));
  };
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of regions) {
    if (changed > limit) break;
    const gap = open === undefined ? undefined : linesAfter(before, open.end, 2 * CONTEXT, beforeStart);
    if (open === undefined || gap === undefined) {
      close();
      const lead = linesBefore(before, beforeStart, CONTEXT);
      line += countLines(before, counted, beforeStart);
      counted = beforeStart;
      const first = line - lead.length;
      open = { section: { beforeLine: first, afterLine: first + growth, changes: kept(lead) }, end: 0 };
      found.push(open.section);
    } else {
      open.section.changes.push(...kept(gap));
    }
    const changes = await diffLines(
      splitLines(before.slice(beforeStart, beforeEnd)),
      splitLines(after.slice(afterStart, afterEnd)),
    );
    for (const change of changes) {
      open.section.changes.push(change);
      growth += change.sign === "+" ? 1 : change.sign === "-" ? -1 : 0;
      if (change.sign !== " ") changed++;
    }
    open.end = beforeEnd;
  }
  close();
  return found;
}

const kept = (lines: readonly string[]): LineChange[] => lines.map((line) => ({ sign: " ", line }));

/** Up to `count` lines from `at`; with `until`, all lines up to there, or undefined where they are more. */
function linesAfter(text: string, at: number, count: number): string[];
function linesAfter(text: string, at: number, count: number, until: number): string[] | undefined;
function linesAfter(text: string, at: number, count: number, until?: number): string[] | undefined {
  const lines: string[] = [];
  const stop = until ?? text.length;
  for (let from = at; from < stop;) {
    if (lines.length === count) return until === undefined ? lines : undefined;
    const length = lineLength(text, from);
    lines.push(text.slice(from, from + length));
    from += length;
  }
  return lines;
}

function linesBefore(text: string, at: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = at; end > 0 && lines.length < count;) {
    const start = end === 1 ? 0 : text.lastIndexOf("\n", end - 2) + 1;
    lines.unshift(text.slice(start, end));
    end = start;
  }
  return lines;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Splits a section where more than six kept lines part two changes, and trims it to three lines of context. */
function* hunks({ beforeLine, afterLine, changes }: Section): Generator<Section> {
  let from = 0;
  let at = { beforeLine, afterLine };
  const moved = (start: number, end: number): { beforeLine: number; afterLine: number } => {
    const signs = changes.slice(start, end).map(({ sign }) => sign);
    return {
      beforeLine: at.beforeLine + signs.filter((sign) => sign !== "+").length,
      afterLine: at.afterLine + signs.filter((sign) => sign !== "-").length,
    };
  };
  for (;;) {
    const first = changes.findIndex(({ sign }, index) => index >= from && sign !== " ");
    if (first === -1) return;
    let last = first;
    for (let index = first; index < changes.length && index - last <= 2 * CONTEXT + 1; index++) {
      if (changes[index]?.sign !== " ") last = index;
    }
    const start = Math.max(from, first - CONTEXT);
    const end = Math.min(changes.length, last + 1 + CONTEXT);
    at = moved(from, start);
    yield { ...at, changes: changes.slice(start, end) };
    at = moved(start, end);
    from = end;
  }
}

function showHunk(
  { beforeLine, afterLine, changes }: Section,
  limit: number,
  show: (line: string) => string,
): string[] {
  const before = changes.filter(({ sign }) => sign !== "+").length;
  const after = changes.filter(({ sign }) => sign !== "-").length;
  const out = [`@@ -${range(beforeLine, before)} +${range(afterLine, after)} @@`];
  let left = limit;
  let removed: string[] = [];
  for (const { sign, line } of changes) {
    if (sign !== " " && left-- <= 0) continue;
    if (sign === "-") removed.push(line);
    const other =
      sign === "-"
        ? changes.find((one) => one.sign === "+")?.line
        : sign === "+"
          ? removed.shift()
          : undefined;
    if (sign === " ") removed = [];
    out.push(sign + showLine(line, other, show));
    if (!line.endsWith("\n")) out.push("\\ No newline at end of file");
  }
  return out;
}

/** Of an empty side a hunk names the line before it. */
const range = (line: number, count: number): string =>
  count === 0 ? `${line - 1},0` : count === 1 ? String(line) : `${line},${count}`;

/** A line without its LF; a long one cut to where it departs from its counterpart. */
function showLine(line: string, other: string | undefined, show: (line: string) => string): string {
  const bare = line.endsWith("\n") ? line.slice(0, -1) : line;
  if (bare.length <= MAX_LINE) return show(bare);
  const same = other === undefined ? 0 : commonStart(bare, other);
  const start = same === bare.length ? 0 : Math.max(0, same - LEAD);
  const part = show(bare.slice(start, start + MAX_LINE)).replaceAll(/^\u{FFFD}+|\u{FFFD}+$/gu, "");
  return `${start > 0 ? "…" : ""}${part}${start + MAX_LINE < bare.length ? "…" : ""}`;
}

function commonStart(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same;
}
