import { isNearMiss } from "./is-near-miss.ts";
import type { SearchWeights } from "./search-weights.ts";
import { stemEnglish } from "./stem-english.ts";
import { SYNONYMS } from "./synonyms.ts";

/** Terms of the index that a word may mean, with what the word counts for where it meets them. */
export type RelatedTerms = ReadonlyMap<string, number>;

const PREFIX = 4;
const SHORTEST_TYPO = 5;

/**
 * Looks words up among the terms of an index: the word itself, its synonyms, terms that it begins or that begin it,
 * and, only where there are none of these, terms that are one letter off.
 */
export function createRelatedTerms(
  known: Iterable<string>,
  weights: SearchWeights,
): (word: string) => RelatedTerms {
  const terms = new Set(known);
  const byPrefix = Map.groupBy(terms, (term) => term.slice(0, PREFIX));
  const byShape = Map.groupBy(terms, (term) => shape(term, term.length));
  const synonyms = readSynonyms();

  return (word) => {
    const term = stemEnglish(word);
    const related = new Map<string, number>();
    const add = (other: string, share: number): void => {
      if (terms.has(other) && share > (related.get(other) ?? 0)) related.set(other, share);
    };
    add(term, 1);
    for (const other of synonyms.get(term) ?? []) add(other, weights.synonym);
    if (!/^[a-z]{4,}$/.test(term)) return related;
    for (const other of byPrefix.get(term.slice(0, PREFIX)) ?? []) {
      const [short, long] = term.length < other.length ? [term, other] : [other, term];
      if (long.startsWith(short)) add(other, (weights.prefix * short.length) / long.length);
    }
    if (related.size > 0 || word.length < SHORTEST_TYPO) return related;
    for (const length of [term.length - 1, term.length, term.length + 1]) {
      for (const other of byShape.get(shape(term, length)) ?? []) {
        if (isNearMiss(term, other)) add(other, weights.typo);
      }
    }
    return related;
  };
}

const shape = (term: string, length: number): string => `${term.slice(0, 1)}${length}`;

function readSynonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const terms of SYNONYMS.map((words) => words.map(stemEnglish))) {
    for (const term of terms) found.set(term, new Set([...(found.get(term) ?? []), ...terms]));
  }
  return found;
}
