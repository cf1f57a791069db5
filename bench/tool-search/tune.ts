// BFCL_DIR=… node --conditions=@toycoder/source bench/tool-search/tune.ts [--seed 1] [--tries 300] [--halvings 3]
// What other numbers for the ranking would be worth. Tries random ones; for each halving of the requests, takes those
// that do best on one half and prints what they reach on the other, beside the default ones. The halves share no tool.
import { parseArgs } from "node:util";
import { createToolIndex, DEFAULT_SEARCH_WEIGHTS } from "@toycoder/core";
import { measureRecall, type Recall } from "./measure.ts";
import { type BenchRequest, readData } from "./read-data.ts";
import { randomFrom, varyWeights } from "./vary-weights.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    tries: { type: "string", default: "300" },
    halvings: { type: "string", default: "3" },
  },
});
const { tools, requests } = readData();
const random = randomFrom(Number(values.seed));
const settings = [
  DEFAULT_SEARCH_WEIGHTS,
  ...Array.from({ length: Number(values.tries) }, () => varyWeights(DEFAULT_SEARCH_WEIGHTS, random)),
];
/** For each setting, the names found for each query. */
const found = settings.map((weights) => {
  const index = createToolIndex(tools, { weights });
  const queries = new Set(requests.map(({ query }) => query));
  return new Map(
    [...queries].map((query) => [query, index.search(query, { limit: 5 }).map((hit) => hit.tool.name)]),
  );
});

console.log("recall@1 and @5, seed", values.seed, "\n");
console.log("| halving | best on this half | on the other half | default, on the other half |");
console.log("| ---: | ---: | ---: | ---: |");
for (let halving = 1; halving <= Number(values.halvings); halving++) {
  const isFirst = new Map(tools.map((tool) => [tool.name, random() < 0.5]));
  const half = (first: boolean): BenchRequest[] =>
    requests.filter(({ needs: [name = ""] }) => isFirst.get(name) === first);
  for (const first of [true, false]) {
    const best = bestOn(half(first));
    const cells = [recall(best, half(first)), recall(best, half(!first)), recall(0, half(!first))].map(show);
    console.log(`| ${[`${halving}${first ? "a" : "b"}`, ...cells].join(" | ")} |`);
  }
}
const best = bestOn(requests);
console.log(
  `\nAll requests: ${show(recall(0, requests))} by default, ${show(recall(best, requests))} at best with`,
);
console.log(JSON.stringify(settings[best], null, 2));

/** The setting, by its number, that does best on the requests. */
function bestOn(part: readonly BenchRequest[]): number {
  const worth = settings.map((_, setting) => {
    const { at1, at5 } = recall(setting, part);
    return at1 + at5;
  });
  return worth.indexOf(Math.max(...worth));
}

function recall(setting: number, part: readonly BenchRequest[]): Recall {
  return measureRecall((query) => found[setting]?.get(query) ?? [], part);
}

function show({ at1, at5 }: Recall): string {
  return `${at1.toFixed(3)} ${at5.toFixed(3)}`;
}
