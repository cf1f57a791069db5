/** The length of the line end at `at`: 2 for CR LF, 1 for LF or a lone CR, 0 where none is. */
export function lineEndAt(text: string, at: number): 0 | 1 | 2 {
  const unit = text.charCodeAt(at);
  if (unit === 10) return 1;
  if (unit !== 13) return 0;
  return text.charCodeAt(at + 1) === 10 ? 2 : 1;
}

/** The length of the line end that ends right before `at`. */
export function lineEndBefore(text: string, at: number): 0 | 1 | 2 {
  const unit = text.charCodeAt(at - 1);
  if (unit === 13) return 1;
  if (unit !== 10) return 0;
  return text.charCodeAt(at - 2) === 13 ? 2 : 1;
}

/** Finds which line end rules at a place; remembers, so that many places in ascending order cost one pass. */
export function lineEndFinder(text: string): (start: number, end: number) => string {
  let known = { from: 0, to: -1 };
  return (start, end) => {
    if (end < known.from || end > known.to) {
      let at = end;
      while (at < text.length && lineEndAt(text, at) === 0) at++;
      known = { from: end, to: at };
    }
    const next = text.slice(known.to, known.to + lineEndAt(text, known.to));
    if (next !== "") return next;
    let at = start;
    while (at > 0 && lineEndBefore(text, at) === 0) at--;
    return text.slice(at - lineEndBefore(text, at), at) || "\n";
  };
}

/**
 * `inserted` with each bare LF turned into the line end that the replaced text has at that line: lines kept at the
 * start and at the end keep theirs, new ones take a neighbour's. `ends` are the line ends of the replaced text;
 * where it has none, `around` says what rules there.
 */
export function fitLineEnds(
  inserted: string,
  replaced: string,
  ends: readonly string[],
  around: () => string,
): string {
  const lines = inserted.split(/(?<!\r)\n/);
  if (lines.length === 1) return inserted;
  const [only] = ends.length === 0 ? [around()] : ends;
  if (ends.every((end) => end === only)) return lines.join(only);
  const old = replaced.split("\n");
  let head = 0;
  while (head < Math.min(lines.length, old.length) && lines[head] === old[head]) head++;
  let tail = 0;
  while (tail < Math.min(lines.length, old.length) - head && lines.at(-1 - tail) === old.at(-1 - tail))
    tail++;
  let text = lines[0] ?? "";
  let before = "";
  for (let index = 1; index < lines.length; index++) {
    const fromEnd = lines.length - 1 - index;
    const fit =
      index > head && fromEnd < tail ? ends.at(-1 - fromEnd) : ends[Math.min(index, ends.length) - 1];
    // A lone CR, an empty line and an LF would read as one line end.
    const melts = before === "\r" && lines[index - 1] === "" && fit?.startsWith("\n") === true;
    before = melts ? "\r" : (fit ?? "\n");
    text += before + (lines[index] ?? "");
  }
  return text;
}
