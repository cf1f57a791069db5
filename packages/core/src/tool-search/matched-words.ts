import type { RequestWord } from "./read-request.ts";
import { isUnspaced } from "./split-words.ts";
import type { Place, TermIndex } from "./term-index.ts";

/** The words of a request by which a tool is found; no single character that a longer one has in it. */
export function matchedWords(index: TermIndex, words: readonly RequestWord[], tool: number): string[] {
  const found = new Set<string>();
  for (const { word, terms } of words) {
    if ([...terms.keys()].some((term) => holds(index.postings.get(term)?.places ?? [], tool)))
      found.add(word);
  }
  const all = [...found];
  const isPart = (word: string): boolean => all.some((other) => other !== word && other.includes(word));
  return all.filter((word) => !isUnspaced(word) || !isPart(word));
}

function holds(places: readonly Place[], tool: number): boolean {
  let low = 0;
  let high = places.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = places[middle]?.tool ?? 0;
    if (at === tool) return true;
    if (at < tool) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
