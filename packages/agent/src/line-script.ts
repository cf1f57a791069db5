/** One line of a change: kept, taken out or put in. */
export interface LineStep {
  sign: " " | "-" | "+";
  line: string;
}

/** Beyond so many differences all old lines are taken out and all new ones put in. */
const MAX_DIFFERENCES = 1500;

/** How `before` becomes `after`, line by line, by Myers' greedy algorithm. */
export function lineScript(before: readonly string[], after: readonly string[]): LineStep[] {
  const trace = searchPaths(before, after);
  if (trace === undefined) {
    return [
      ...before.map((line): LineStep => ({ sign: "-", line })),
      ...after.map((line): LineStep => ({ sign: "+", line })),
    ];
  }
  return walkBack(before, after, trace);
}

/** For each number of differences, how far each diagonal got before; undefined where there are too many. */
function searchPaths(before: readonly string[], after: readonly string[]): Int32Array[] | undefined {
  const most = Math.min(before.length + after.length, MAX_DIFFERENCES);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace: Int32Array[] = [];
  for (let differences = 0; differences <= most; differences++) {
    trace.push(reach.slice(middle - differences - 1, middle + differences + 2));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const at = middle + diagonal;
      const down =
        diagonal === -differences ||
        (diagonal !== differences && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0));
      let x = down ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      reach[at] = x;
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
  }
  return undefined;
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Int32Array[],
): LineStep[] {
  const steps: LineStep[] = [];
  let x = before.length;
  let y = after.length;
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const reach = trace[differences];
    const at = (diagonal: number): number => reach?.[diagonal + differences + 1] ?? 0;
    const diagonal = x - y;
    const down =
      diagonal === -differences || (diagonal !== differences && at(diagonal - 1) < at(diagonal + 1));
    const fromX = differences === 0 ? 0 : down ? at(diagonal + 1) : at(diagonal - 1);
    const fromY = differences === 0 ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1);
    for (; x > fromX && y > fromY; x--, y--) steps.push({ sign: " ", line: before[x - 1] ?? "" });
    if (differences === 0) break;
    if (down) steps.push({ sign: "+", line: after[--y] ?? "" });
    else steps.push({ sign: "-", line: before[--x] ?? "" });
  }
  return steps.reverse();
}
