import type { RequestWord } from "./read-request.ts";
import type { SearchWeights } from "./search-weights.ts";
import type { TermIndex } from "./term-index.ts";

/**
 * Every tool's score for the words of a request, by the tool's number: BM25 over weighted fields, where all terms that
 * a word may mean count as one term, and more for a tool whose name or description the request covers.
 */
export function rankTools(
  index: TermIndex,
  words: readonly RequestWord[],
  weights: SearchWeights,
): Float64Array {
  const scores = new Float64Array(index.size);
  const nameCover = new Float64Array(index.size);
  const descriptionCover = new Float64Array(index.size);
  const counts = new Float64Array(index.size);
  for (const { weight, terms } of words) {
    const holders: number[] = [];
    let rarity = 0; // Of the first term: the word itself, where the index has it.
    for (const [term, share] of terms) {
      const posting = index.postings.get(term);
      if (posting === undefined) continue;
      rarity ||= posting.rarity;
      const worth = share * posting.rarity;
      for (const { tool, count, inName, inDescription } of posting.places) {
        if (counts[tool] === 0) holders.push(tool);
        add(counts, tool, worth * count);
        if (inName) add(nameCover, tool, worth);
        if (inDescription) add(descriptionCover, tool, worth);
      }
    }
    for (const tool of holders) {
      const count = (counts[tool] ?? 0) / rarity;
      add(scores, tool, (weight * rarity * count * (weights.saturation + 1)) / (count + weights.saturation));
      counts[tool] = 0;
    }
  }
  return scores.map((score, tool) => {
    if (score === 0) return 0;
    const name = weights.nameCover * covered(nameCover[tool], index.nameMass[tool]);
    const description =
      weights.descriptionCover * covered(descriptionCover[tool], index.descriptionMass[tool]);
    return score * (1 + name) * (1 + description);
  });
}

function add(to: Float64Array, at: number, value: number): void {
  to[at] = (to[at] ?? 0) + value;
}

const covered = (part = 0, whole = 0): number => (whole === 0 ? 0 : Math.min(1, part / whole));
