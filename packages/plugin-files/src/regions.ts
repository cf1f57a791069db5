/** A part of a text that was replaced: where it was, and where its replacement is. Code units, ends exclusive. */
export interface Region {
  beforeStart: number;
  beforeEnd: number;
  afterStart: number;
  afterEnd: number;
}

/** The regions of two changes in a row, as one change. Regions that meet become one. */
export function composeRegions(earlier: readonly Region[], later: readonly Region[]): Region[] {
  // In the text between the two changes, with how much each grew the text before or after it.
  const spans = [
    ...earlier.map((one) => ({ low: one.afterStart, high: one.afterEnd, earlier: growth(one), later: 0 })),
    ...later.map((one) => ({ low: one.beforeStart, high: one.beforeEnd, earlier: 0, later: growth(one) })),
  ].sort((a, b) => a.low - b.low || a.high - b.high);
  const composed: Region[] = [];
  let before = 0;
  let after = 0;
  for (let index = 0; index < spans.length;) {
    const { low } = spans[index] ?? { low: 0 };
    const start = { beforeStart: low - before, afterStart: low + after };
    let high = low;
    for (let span = spans[index]; span !== undefined && span.low <= high; span = spans[++index]) {
      high = Math.max(high, span.high);
      before += span.earlier;
      after += span.later;
    }
    composed.push({ ...start, beforeEnd: high - before, afterEnd: high + after });
  }
  return composed;
}

const growth = ({ beforeStart, beforeEnd, afterStart, afterEnd }: Region): number =>
  afterEnd - afterStart - (beforeEnd - beforeStart);

/** The one region between what two texts have in common at their start and at their end; none where they are equal. */
export function changedRegion(before: string, after: string): Region[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  return [
    { beforeStart: head, beforeEnd: before.length - tail, afterStart: head, afterEnd: after.length - tail },
  ];
}
