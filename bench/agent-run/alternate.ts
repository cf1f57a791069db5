import { median } from "../report.ts";

/** Runs all in turn, `rounds` times, each first every other time: what slows the machine down meets all of them. */
export async function alternate<T>(
  rounds: number,
  all: readonly { name: string; run: () => Promise<T> }[],
): Promise<Map<string, T[]>> {
  const figures = new Map(all.map(({ name }) => [name, [] as T[]]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of round % 2 === 0 ? all : all.toReversed()) {
      const figure = await run();
      figures.get(name)?.push(figure);
    }
  }
  return figures;
}

/** The median of the rounds' own ratios: both of a round have met the same load. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((figure, round) => figure / (theirs[round] ?? Number.NaN)));
