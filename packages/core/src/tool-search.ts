import { matchedWords } from "./tool-search/matched-words.ts";
import { createRequestReader } from "./tool-search/read-request.ts";
import { createRelatedTerms } from "./tool-search/related-terms.ts";
import { scoreRequest, scoreSubstrings } from "./tool-search/score-request.ts";
import { DEFAULT_SEARCH_WEIGHTS, type SearchWeights } from "./tool-search/search-weights.ts";
import { createTermIndex } from "./tool-search/term-index.ts";
import { createTextMatcher } from "./tool-search/text-match.ts";
import type { SearchableTool } from "./tool-search/tool-fields.ts";

/** A tool that a search found. */
export interface ToolHit<T extends SearchableTool = SearchableTool> {
  tool: T;
  /** Higher is better; comparable within one search only. */
  score: number;
  /** The words of the request by which the tool was found; the whole request where it was found as text. */
  matched: string[];
}

/** What a search gives. */
export interface ToolSearchOptions {
  /** How many tools at most. Default 10. */
  limit?: number;
}

/** A search over a fixed list of tools. */
export interface ToolIndex<T extends SearchableTool = SearchableTool> {
  /**
   * The tools for a request, best first, ties by name. The request is a name or a part of one, words, or sentences, of
   * which the first 8,000 characters count. Never throws.
   */
  search(request: string, options?: ToolSearchOptions): ToolHit<T>[];
}

/** What an index takes in, and how it ranks. */
export interface ToolIndexOptions {
  /** Deprecated tools are left out unless this is true. */
  includeDeprecated?: boolean;
  /** Other numbers for the ranking, to measure with. */
  weights?: Partial<SearchWeights>;
}

const DEFAULT_LIMIT = 10;
const LONGEST_REQUEST = 8000;

/** Makes an index that finds tools by what they are for. It holds the tools as they are now. */
export function createToolIndex<T extends SearchableTool>(
  given: Iterable<T>,
  options: ToolIndexOptions = {},
): ToolIndex<T> {
  const weights = { ...DEFAULT_SEARCH_WEIGHTS, ...options.weights };
  const tools = [...given]
    .filter((tool) => options.includeDeprecated === true || !isDeprecated(tool))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const index = createTermIndex(tools, weights);
  const readRequest = createRequestReader(createRelatedTerms(index.postings.keys(), weights), weights);
  const matchText = createTextMatcher(tools);

  return {
    search(given, { limit = DEFAULT_LIMIT } = {}) {
      const request = given.slice(0, LONGEST_REQUEST);
      const words = readRequest(request);
      const text = matchText(request);
      const scores = scoreRequest({ request, words, text, index, weights, readRequest });
      let found = inOrder(scores);
      if (found.length < limit) {
        scoreSubstrings(scores, text);
        found = inOrder(scores);
      }
      return found.slice(0, Math.max(0, limit)).flatMap((number) => {
        const tool = tools[number];
        if (tool === undefined) return [];
        const matched = matchedWords(index, words, number);
        return { tool, score: scores[number] ?? 0, matched: matched.length > 0 ? matched : [request.trim()] };
      });
    },
  };
}

const isDeprecated = ({ deprecated }: SearchableTool): boolean =>
  deprecated !== undefined && deprecated !== false;

/** The numbers of the tools that have a score, best first; of equal ones, the lower number first. */
function inOrder(scores: Float64Array): number[] {
  const found: number[] = [];
  for (let number = 0; number < scores.length; number++) if ((scores[number] ?? 0) > 0) found.push(number);
  return found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
}
