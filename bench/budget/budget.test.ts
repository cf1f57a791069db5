import { expect, it } from "vitest";
import { type Budget, excesses } from "./budget.ts";

const budget: Budget = {
  counts: { files: 70 },
  bytes: { bundle: 1000 },
  ratios: { start: 2 },
  noise: 0.2,
};
const messages = (measured: Partial<Budget>): string[] =>
  excesses(budget, { ...budget, ...measured }).map(({ message }) => message);

it("has nothing to say where all figures keep to the budget", () => {
  expect(messages({})).toEqual([]);
  expect(messages({ bytes: { bundle: 1 }, ratios: { start: 0.5 } })).toEqual([]);
});

it("takes a count as it stands, more and fewer", () => {
  expect(messages({ counts: { files: 71 } })).toEqual([
    "counts.files: 71, and the budget is 70: 1 more; load it when it is first needed, or raise the budget",
  ]);
  expect(messages({ counts: { files: 67 } })).toEqual([
    "counts.files: 67, and the budget is 70: 3 fewer, well done; lower the budget",
  ]);
});

it("gives bytes no slack", () => {
  expect(messages({ bytes: { bundle: 1001 } })).toEqual([
    "bytes.bundle: 1001, and the budget is 1000: 1 B more, 0.1 % over; make it smaller, or raise it",
  ]);
});

it("gives ratios slack for noise, and no more", () => {
  expect(messages({ ratios: { start: 2.4 } })).toEqual([]);
  expect(messages({ ratios: { start: 2.5 } })).toEqual([
    "ratios.start: 2.5, and the budget is 2: 25.0 % over, with 20 % for noise; see `pnpm bench start` and `turns`",
  ]);
});

it("names what only one side has, and what could not be measured", () => {
  expect(messages({ counts: {}, bytes: { bundle: 1, request: 9 }, ratios: { start: Number.NaN } })).toEqual([
    "counts.files: was not measured; take it out of the budget",
    "bytes.request: is 9 and has no budget; give it one",
    "ratios.start: was not measured; take it out of the budget",
  ]);
});
