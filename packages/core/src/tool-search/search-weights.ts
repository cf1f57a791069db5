/** The fields of a tool that words are looked up in. */
export const FIELDS = ["name", "description", "tags", "parameters", "parameterTexts", "values"] as const;
export type Field = (typeof FIELDS)[number];

/** The numbers of the ranking. The package's README says how they were chosen. */
export interface SearchWeights {
  /** What a word counts for in each field. */
  readonly field: Readonly<Record<Field, number>>;
  /** How much a long field dilutes its words: 0 not at all, 1 wholly. BM25's b. */
  readonly dilution: Readonly<Record<Field, number>>;
  /** How soon repetition stops to count. BM25's k1. */
  readonly saturation: number;
  /** What a tool gains whose name, or whose description, has no other words than the request. */
  readonly nameCover: number;
  readonly descriptionCover: number;
  /** What a word counts for in a tool that has a word that begins alike, a synonym, its English, it without a typo. */
  readonly prefix: number;
  readonly synonym: number;
  readonly translation: number;
  readonly typo: number;
  /** What counts for less than a word: a number, a Han or Hangul character, a pair of Katakana, of Hiragana. */
  readonly number: number;
  readonly character: number;
  readonly katakana: number;
  readonly hiragana: number;
  /** What the best tool for one sentence gains in a request of several, in shares of the best score. */
  readonly part: number;
}

/** The numbers that tool search ranks by; the README says how they were found. */
export const DEFAULT_SEARCH_WEIGHTS: SearchWeights = {
  field: { name: 3, description: 1.5, tags: 2.5, parameters: 1, parameterTexts: 1, values: 0.8 },
  dilution: { name: 0.4, description: 0.6, tags: 0.4, parameters: 0.6, parameterTexts: 0.5, values: 0.5 },
  saturation: 1,
  nameCover: 0.25,
  descriptionCover: 0.4,
  prefix: 0.5,
  synonym: 0.3,
  translation: 0.7,
  typo: 0.5,
  number: 0.5,
  character: 0.3,
  katakana: 0.5,
  hiragana: 0.2,
  part: 0.8,
};
