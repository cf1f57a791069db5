const SUFFIXES: readonly (readonly [suffix: string, instead: string])[] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["isation", "ize"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["ability", "able"],
  ["ibility", "ible"],
  ["ation", "ate"],
  ["ition", "ite"],
  ["ution", "ute"],
  ["ction", "ct"],
  ["ator", "ate"],
  ["tion", "t"],
  ["sion", "s"],
  ["ment", ""],
  ["ness", ""],
  ["ical", "ic"],
  ["ally", "al"],
  ["ance", ""],
  ["ence", ""],
  ["ible", ""],
  ["able", ""],
  ["ity", ""],
  ["ive", ""],
  ["ful", ""],
  ["ist", ""],
  ["ly", ""],
  ["al", ""],
  ["er", ""],
  ["or", ""],
  ["ic", ""],
];
const SHORTEST_STEM = 3;
/** What is left of translating, creating, resizing, enabling, moving: without the e that the word has. */
const LOST_E = /(?:cre|[^oe])at$|iz$|bl$|^[^aeiou]+[aeiouy][^aeiouwxy]$/;

/**
 * A key that the forms of an English word have in common: search, searches, searching, searched, searcher. It takes
 * off an ending of inflection, then one of derivation, and need not be a word. Anything but a-z is left as it is.
 */
export function stemEnglish(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let stem = withoutSuffix(withoutTense(withoutPlural(word)));
  if (stem.length > 4 && stem.endsWith("ate")) stem = stem.slice(0, -3);
  if (stem.length > 4 && stem.endsWith("e")) stem = stem.slice(0, -1);
  if (stem.length > 3 && stem.endsWith("y")) stem = `${stem.slice(0, -1)}i`;
  return withoutDouble(stem);
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  const ending = word.endsWith("ing") ? 3 : word.endsWith("ed") ? 2 : 0;
  const stem = word.slice(0, word.length - ending);
  if (ending === 0 || stem.length < SHORTEST_STEM || !/[aeiouy]/.test(stem)) return word;
  const single = withoutDouble(stem);
  return single === stem && LOST_E.test(stem) ? `${stem}e` : single;
}

function withoutSuffix(word: string): string {
  for (const [suffix, instead] of SUFFIXES) {
    if (word.length - suffix.length >= SHORTEST_STEM && word.endsWith(suffix)) {
      return word.slice(0, -suffix.length) + instead;
    }
  }
  return word;
}

const withoutDouble = (word: string): string => (/([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);
