import { contentWords } from "./content-words.ts";
import { readGlossary } from "./glossary.ts";
import type { RelatedTerms } from "./related-terms.ts";
import type { SearchWeights } from "./search-weights.ts";
import { foldText, isSyllable, isUnspaced } from "./split-words.ts";

/** A word of a request that the index knows: what it counts for, and the terms that it may mean. */
export interface RequestWord {
  readonly word: string;
  readonly weight: number;
  readonly terms: RelatedTerms;
}

/** Reads requests: each word once, however often it stands there, and English for what the glossary has. */
export function createRequestReader(
  relatedTerms: (word: string) => RelatedTerms,
  weights: SearchWeights,
): (request: string) => RequestWord[] {
  let glossary: ReturnType<typeof readGlossary> | undefined;

  return (request) => {
    const found = new Map<string, RequestWord>();
    for (const word of new Set(contentWords(request))) {
      const terms = relatedTerms(word);
      const [main] = terms.keys();
      if (main !== undefined && !found.has(main)) {
        found.set(main, { word, weight: weightOf(word, weights), terms });
      }
    }
    return isUnspaced(request) ? [...found.values(), ...translate(request)] : [...found.values()];
  };

  function translate(request: string): RequestWord[] {
    glossary ??= readGlossary();
    const found: RequestWord[] = [];
    let rest = foldText(request);
    for (const [word, english] of glossary) {
      if (!rest.includes(word)) continue;
      rest = rest.replaceAll(word, " ");
      const terms = new Map<string, number>();
      for (const [term, share] of english.flatMap((each) => [...relatedTerms(each)])) {
        terms.set(term, Math.max(share, terms.get(term) ?? 0));
      }
      if (terms.size > 0) found.push({ word, weight: weights.translation, terms });
    }
    return found;
  }
}

function weightOf(word: string, weights: SearchWeights): number {
  if (/^\p{N}/u.test(word)) return weights.number;
  if (!isUnspaced(word)) return 1;
  if (isSyllable(word)) return weights.character;
  if (/^[\u30a1-\u30ff]/.test(word)) return weights.katakana;
  return /^[\u3041-\u309f]/.test(word) ? weights.hiragana : 1;
}
