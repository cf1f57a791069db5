import { rankTools } from "./rank-tools.ts";
import type { RequestWord } from "./read-request.ts";
import { requestParts } from "./request-parts.ts";
import type { SearchWeights } from "./search-weights.ts";
import type { TermIndex } from "./term-index.ts";
import type { TextMatch } from "./text-match.ts";

/** A request with what it is looked up in. */
export interface Scoring {
  readonly request: string;
  readonly words: readonly RequestWord[];
  readonly text: TextMatch;
  readonly index: TermIndex;
  readonly weights: SearchWeights;
  readRequest(request: string): RequestWord[];
}

const FRAGMENT = /^\S{2,64}$/;
const SUBSTRING_SCORE = 0.01;

/** Every tool's score for a request: by its words, by its sentences, and as a name or part of one. */
export function scoreRequest(scoring: Scoring): Float64Array {
  const { request, words, text, index, weights } = scoring;
  const scores = rankTools(index, words, weights);
  const best = highest(scores);
  addParts(scores, weights.part * best, scoring);
  if (FRAGMENT.test(request.trim())) {
    for (let tool = 0; tool < scores.length; tool++) {
      scores[tool] = (scores[tool] ?? 0) + (Math.max(1, best) / 2) * text.shareOfName(tool);
    }
  }
  const top = highest(scores);
  const [exactly, inAnyStyle] = text.named;
  for (const tool of inAnyStyle) scores[tool] = top + 1;
  for (const tool of exactly) scores[tool] = top + 2;
  return scores;
}

/** Gives a low score to the tools that have none and have the request as a substring. */
export function scoreSubstrings(scores: Float64Array, text: TextMatch): void {
  for (let tool = 0; tool < scores.length; tool++) {
    if (scores[tool] === 0) scores[tool] = SUBSTRING_SCORE * text.place(tool);
  }
}

/** In a request of several sentences, adds `gain` to the best tool of each, and to others as they come near it. */
function addParts(
  scores: Float64Array,
  gain: number,
  { request, index, weights, readRequest }: Scoring,
): void {
  const parts = requestParts(request)
    .map(readRequest)
    .filter((words) => words.length > 1);
  if (parts.length < 2) return;
  const gains = new Float64Array(scores.length);
  for (const words of parts) {
    const partScores = rankTools(index, words, weights);
    const best = highest(partScores);
    for (let tool = 0; tool < gains.length; tool++) {
      gains[tool] = Math.max(gains[tool] ?? 0, (partScores[tool] ?? 0) / best);
    }
  }
  for (let tool = 0; tool < gains.length; tool++) {
    scores[tool] = (scores[tool] ?? 0) + gain * (gains[tool] ?? 0);
  }
}

function highest(scores: Float64Array): number {
  let best = 0;
  for (const score of scores) if (score > best) best = score;
  return best;
}
