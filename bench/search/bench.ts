// `pnpm bench search [--rounds N] [--only TEXT] [--tree FOLDER] [--out FILE]`: the search tools through dispatch, beside ripgrep run by hand.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { median, report, reportFile } from "../report.ts";
import { cases } from "./cases.ts";
import { FILES, LINES, makeTree } from "./make-tree.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    rounds: { type: "string", default: "11" },
    only: { type: "string", default: "" },
    tree: { type: "string" },
  },
});
const rounds = Number(values.rounds);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A tree that is named is kept for the next time. */
const root = values.tree ?? mkdtempSync(path.join(tmpdir(), "toycoder-bench-"));
try {
  if (!existsSync(path.join(root, ".gitignore"))) makeTree(root);
  const rows = [];
  for (const { name, aim, tool, byHand } of cases(root)) {
    if (!name.includes(values.only)) continue;
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = -1; round < rounds; round++) {
      // In turn, each first every other time: what warms a cache or heats the machine is shared.
      for (const one of round % 2 === 0 ? ["ours", "theirs"] : ["theirs", "ours"]) {
        const time = await timed(one === "ours" ? tool : byHand);
        if (round >= 0) (one === "ours" ? ours : theirs).push(time);
      }
    }
    const [tool_ms, by_hand_ms] = [median(ours), median(theirs)];
    // Of each round by itself: on a machine that others use as well, both of a round meet the same load.
    const ratio = median(ours.map((time, round) => time / (theirs[round] ?? time)));
    rows.push({ name, tool_ms, by_hand_ms, ratio, aim });
  }
  report(
    reportFile("search", values.out),
    `${FILES} files of ${LINES} lines, medians of ${rounds} rounds in turn`,
    [
      {
        head: ["search", "tool, ms", "by hand, ms", "ratio", "aim"],
        rows: rows.map(({ name, tool_ms, by_hand_ms, ratio, aim }) => [
          name,
          tool_ms,
          by_hand_ms,
          ratio,
          aim,
        ]),
      },
    ],
    { files: FILES, lines: LINES, rounds, rows },
  );
} finally {
  if (values.tree === undefined) rmSync(root, { recursive: true });
}
