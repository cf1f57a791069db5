import { contentWords } from "./content-words.ts";
import { type Field, FIELDS, type SearchWeights } from "./search-weights.ts";
import { stemEnglish } from "./stem-english.ts";
import { type SearchableTool, toolFields } from "./tool-fields.ts";

/** A tool that has a term, by its number, and what the term counts for there. */
export interface Place {
  readonly tool: number;
  count: number;
  inName: boolean;
  inDescription: boolean;
}

export interface Posting {
  /** How rare the term is. BM25's idf. */
  rarity: number;
  /** By tool, ascending. */
  readonly places: Place[];
}

/** What the search looks words up in. */
export interface TermIndex {
  readonly size: number;
  readonly postings: ReadonlyMap<string, Readonly<Posting>>;
  /** The rarity of all terms of a tool's name, and of its description, by the tool's number. */
  readonly nameMass: Float64Array;
  readonly descriptionMass: Float64Array;
}

type Terms = Record<Field, string[]>;

/** Indexes the words of all fields of the tools, stemmed. */
export function createTermIndex(tools: readonly SearchableTool[], weights: SearchWeights): TermIndex {
  const toTerm = memoize(stemEnglish);
  const all = tools.map((tool): Terms => {
    const texts = toolFields(tool);
    return byField((field) => contentWords(texts[field]).map((word) => toTerm(word)));
  });
  const meanLengths = byField(
    (field) => all.reduce((sum, terms) => sum + terms[field].length, 0) / tools.length || 1,
  );
  const postings = new Map<string, Posting>();
  for (const [tool, terms] of all.entries()) addTool(postings, tool, terms, meanLengths, weights);
  return { size: tools.length, postings, ...weigh(postings, tools.length) };
}

function addTool(
  postings: Map<string, Posting>,
  tool: number,
  terms: Terms,
  meanLengths: Record<Field, number>,
  weights: SearchWeights,
): void {
  for (const field of FIELDS) {
    const dilution = weights.dilution[field] * (terms[field].length / meanLengths[field] - 1);
    const count = weights.field[field] / (1 + dilution);
    for (const term of terms[field]) {
      let posting = postings.get(term);
      if (posting === undefined) postings.set(term, (posting = { rarity: 0, places: [] }));
      let place = posting.places.at(-1);
      if (place?.tool !== tool) {
        posting.places.push((place = { tool, count: 0, inName: false, inDescription: false }));
      }
      place.count += count;
      if (field === "name") place.inName = true;
      if (field === "description") place.inDescription = true;
    }
  }
}

function weigh(
  postings: ReadonlyMap<string, Posting>,
  size: number,
): Pick<TermIndex, "nameMass" | "descriptionMass"> {
  const nameMass = new Float64Array(size);
  const descriptionMass = new Float64Array(size);
  for (const posting of postings.values()) {
    const holders = posting.places.length;
    posting.rarity = Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
    for (const { tool, inName, inDescription } of posting.places) {
      if (inName) nameMass[tool] = (nameMass[tool] ?? 0) + posting.rarity;
      if (inDescription) descriptionMass[tool] = (descriptionMass[tool] ?? 0) + posting.rarity;
    }
  }
  return { nameMass, descriptionMass };
}

const byField = <T>(make: (field: Field) => T): Record<Field, T> => ({
  name: make("name"),
  description: make("description"),
  tags: make("tags"),
  parameters: make("parameters"),
  parameterTexts: make("parameterTexts"),
  values: make("values"),
});

function memoize(convert: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    let result = known.get(word);
    if (result === undefined) known.set(word, (result = convert(word)));
    return result;
  };
}
