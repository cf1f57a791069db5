/** The candidates within a small edit distance of `word`, nearest first, at most `limit`. */
export function nearest(word: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = fold(word);
  if (wanted === "") return [];
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const other = fold(candidate);
    const close = other.includes(wanted) || wanted.includes(other) ? 1 : distance(wanted, other);
    if (close <= Math.floor((Math.max(wanted.length, other.length) + 1) / 3)) {
      scored.push({ candidate, distance: wanted === other ? 0 : close });
    }
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

const fold = (name: string): string =>
  name
    .slice(0, 128)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Levenshtein distance with adjacent transpositions. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
