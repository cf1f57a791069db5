// `pnpm bench files [--rounds N] [--out FILE]`: read_file in a 1 GB file, edit_file in a 50 MB file beside sed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { median, report, reportFile } from "../report.ts";
import { makeFile } from "./make-file.ts";
import { type Measured, runProgram, runTool } from "./run-child.ts";

const { values } = parseArgs({
  options: { out: { type: "string" }, rounds: { type: "string", default: "5" } },
});
const rounds = Number(values.rounds);
const GB = 1024 ** 3;
const SMALL = 50_000_000;

async function repeat(work: () => Promise<Measured>, which = 0): Promise<{ ms: number; mb: number }> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round++) all.push(await work());
  return {
    ms: median(all.map(({ ms }) => ms[which] ?? 0)),
    mb: median(all.map((one) => one.peak - one.idle)),
  };
}

const root = mkdtempSync(path.join(tmpdir(), "toycoder-bench-"));
try {
  const [large, small] = [path.join(root, "large.txt"), path.join(root, "medium.txt")];
  const last = makeFile(large, GB) - 2000;
  const middle = makeFile(small, SMALL) >> 1;
  const edit = `${middle}s/line ${middle} /LINE /`;
  const back = `${middle}s/LINE /line ${middle} /`;
  /** Puts the file back as it was, outside of what is timed. */
  const restored = async (work: Promise<Measured>): Promise<Measured> => {
    const measured = await work;
    await runProgram("sed", ["-i", back, small]);
    return measured;
  };
  const rows = [
    {
      name: "read_file, 1 GB, 100 lines near the end: first page",
      ...(await repeat(() => runTool("read", large, last))),
    },
    { name: "read_file: another page", ...(await repeat(() => runTool("read", large, last), 1)) },
    {
      name: "sed -n: the same page",
      ...(await repeat(() => runProgram("sed", ["-n", `${last},${last + 99}p;${last + 100}q`, large]))),
    },
    {
      name: "edit_file, 50 MB, one line in the middle",
      ...(await repeat(() => restored(runTool("edit", small, middle)))),
    },
    {
      name: "sed -i: the same edit",
      ...(await repeat(() => restored(runProgram("sed", ["-i", edit, small])))),
    },
    {
      name: "sed -i, then sync as edit_file does",
      ...(await repeat(() =>
        restored(runProgram("sh", ["-c", `sed -i '${edit}' "$0" && sync "$0"`, small])),
      )),
    },
  ];
  report(
    reportFile("files", values.out),
    `Medians of ${rounds} rounds; memory at most, above the idle process`,
    [{ head: ["what", "ms", "MB"], rows: rows.map(({ name, ms, mb }) => [name, ms, mb]) }],
    { rounds, rows },
  );
} finally {
  rmSync(root, { recursive: true });
}
