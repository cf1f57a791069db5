import { quantile } from "../report.ts";
import type { BenchRequest, BenchTool } from "./read-data.ts";

/** A way to search: makes an index, and gives a function from a request to the names of its first `limit` tools. */
export interface Contender {
  readonly title: string;
  createIndex(tools: readonly BenchTool[]): (query: string, limit: number) => string[];
}

export interface Recall {
  /** The share of requests of which all tools are among the first k. */
  at1: number;
  at5: number;
}

export interface Measured extends Recall {
  title: string;
  indexMs: number;
  queryMs: number;
  slowQueryMs: number;
}

const ROUNDS = 7;

export function measureRecall(
  search: (query: string) => string[],
  requests: readonly BenchRequest[],
): Recall {
  const ranks = requests.map(({ query, needs }) => {
    const found = search(query);
    return Math.max(...needs.map((name) => (found.includes(name) ? found.indexOf(name) + 1 : Infinity)));
  });
  const share = (k: number): number => ranks.filter((rank) => rank <= k).length / ranks.length;
  return { at1: share(1), at5: share(5) };
}

/** Recall, and the medians over several rounds of the time for an index and for a query (p99: over all queries). */
export function measure(
  contender: Contender,
  tools: readonly BenchTool[],
  requests: readonly BenchRequest[],
): Measured {
  const search = contender.createIndex(tools);
  const recall = measureRecall((query) => search(query, 5), requests);
  const indexTimes = Array.from({ length: ROUNDS }, () => time(() => void contender.createIndex(tools)));
  const queryTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const { query } of requests) queryTimes.push(time(() => void search(query, 10)));
  }
  return {
    title: contender.title,
    ...recall,
    indexMs: quantile(indexTimes, 0.5),
    queryMs: quantile(queryTimes, 0.5),
    slowQueryMs: quantile(queryTimes, 0.99),
  };
}

function time(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
