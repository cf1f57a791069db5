/** One line of a diff: kept, taken out or put in. The line has its end, if it has one. */
export interface LineChange {
  sign: " " | "-" | "+";
  line: string;
}

/** Beyond so many lines on both sides, or so many differences, old lines are shown before new ones. */
const MAX_LINES = 4000;
const MAX_DIFFERENCES = 1000;

/** The lines of a text, each with its LF. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** How `before` becomes `after`, line by line. */
export async function diffLines(before: readonly string[], after: readonly string[]): Promise<LineChange[]> {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = await diffMiddle(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  );
  return [
    ...marked(" ", before.slice(0, head)),
    ...middle,
    ...marked(" ", before.slice(before.length - tail)),
  ];
}

async function diffMiddle(before: string[], after: string[]): Promise<LineChange[]> {
  const [fewer, more] = before.length < after.length ? [before, after] : [after, before];
  if (fewer.length > 1 && more.length <= MAX_LINES) {
    const { diffArrays } = await import("diff");
    const changes = diffArrays(before, after, { maxEditLength: MAX_DIFFERENCES });
    if (changes !== undefined) {
      return changes.flatMap(({ added, removed, value }) => marked(added ? "+" : removed ? "-" : " ", value));
    }
  }
  return [...marked("-", before), ...marked("+", after)];
}

const marked = (sign: LineChange["sign"], lines: readonly string[]): LineChange[] =>
  lines.map((line) => ({ sign, line }));
