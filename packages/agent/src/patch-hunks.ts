import { commonEnd, commonStart, linesOf, type Source } from "./line-count.ts";
import { type LineStep, lineScript } from "./line-script.ts";

const CONTEXT = 3;
const CHUNK = 65_536;

/** A run of steps, with the number of its first line on both sides. */
interface Hunk {
  oldLine: number;
  newLine: number;
  steps: readonly LineStep[];
}

/**
 * The hunks of a unified diff, as bytes in latin1; none where both are the same. Only what lies between their common
 * beginning and end is held in memory.
 */
export function patchHunks(before: Source, after: Source): string[] {
  const start = commonStart(before, after);
  if (before.size === after.size && start === before.size) return [];
  const end = commonEnd(before, after, start);
  const lead = linesBefore(before, start);
  const tail = linesAfter(before, before.size - end);
  const changed = lineScript(
    linesOf(before, start, before.size - end),
    linesOf(after, start, after.size - end),
  );
  const steps = [...kept(lead), ...changed, ...kept(tail)];
  const first = countFeeds(before, start) + 1 - lead.length;
  return [...hunksOf(steps, first)].map(showHunk);
}

const kept = (lines: readonly string[]): LineStep[] => lines.map((line) => ({ sign: " ", line }));

/** Up to three whole lines that end at `at`. */
function linesBefore(source: Source, at: number): string[] {
  for (let length = CHUNK; ; length *= 8) {
    const from = Math.max(0, at - length);
    const lines = linesOf(source, from, at);
    if (from === 0) return lines.slice(-CONTEXT);
    if (lines.length > CONTEXT) return lines.slice(-CONTEXT);
  }
}

/** Up to three whole lines from `at` on. */
function linesAfter(source: Source, at: number): string[] {
  for (let length = CHUNK; ; length *= 8) {
    const to = Math.min(source.size, at + length);
    const lines = linesOf(source, at, to);
    if (to === source.size || lines.length > CONTEXT) return lines.slice(0, CONTEXT);
  }
}

function countFeeds(source: Source, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at += CHUNK) {
    const bytes = source.read(at, Math.min(CHUNK, end - at));
    for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, feed + 1)) count++;
  }
  return count;
}

/** Parts the steps where more than six kept lines lie between two changes. */
function* hunksOf(steps: readonly LineStep[], firstLine: number): Generator<Hunk> {
  let oldLine = firstLine;
  let newLine = firstLine;
  let from = 0;
  const advance = (to: number): void => {
    for (; from < to; from++) {
      const sign = steps[from]?.sign;
      if (sign !== "+") oldLine++;
      if (sign !== "-") newLine++;
    }
  };
  for (let at = 0; at < steps.length; at++) {
    if (steps[at]?.sign === " ") continue;
    advance(Math.max(from, at - CONTEXT));
    let last = at;
    for (let next = at + 1; next < steps.length && next - last <= 2 * CONTEXT + 1; next++) {
      if (steps[next]?.sign !== " ") last = next;
    }
    const to = Math.min(steps.length, last + 1 + CONTEXT);
    yield { oldLine, newLine, steps: steps.slice(from, to) };
    advance(to);
    at = last;
  }
}

function showHunk({ oldLine, newLine, steps }: Hunk): string {
  const olds = steps.filter(({ sign }) => sign !== "+").length;
  const news = steps.filter(({ sign }) => sign !== "-").length;
  const lines = steps.map(
    ({ sign, line }) => `${sign}${line}${line.endsWith("\n") ? "" : "\n\\ No newline at end of file\n"}`,
  );
  return `@@ -${range(oldLine, olds)} +${range(newLine, news)} @@\n${lines.join("")}`;
}

/** Of an empty side a hunk names the line before it. */
const range = (line: number, count: number): string =>
  count === 0 ? `${line - 1},0` : count === 1 ? String(line) : `${line},${count}`;
