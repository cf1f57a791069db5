// `pnpm bench files [--rounds N] [--out FILE]`: read_file in a 1 GB file, edit_file in a 50 MB file beside sed.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Measured, runProgram, runTool } from "./run-child.ts";

const { values } = parseArgs({
  options: { out: { type: "string" }, rounds: { type: "string", default: "5" } },
});
const out = values.out ?? fileURLToPath(new URL("../.reports/files.json", import.meta.url));
const rounds = Number(values.rounds);
const GB = 1024 ** 3;
const SMALL = 50_000_000;

/** Writes numbered lines until the file has `size` bytes; gives their number. */
function makeFile(file: string, size: number): number {
  const descriptor = openSync(file, "w");
  let bytes = 0;
  let line = 0;
  while (bytes < size) {
    let block = "";
    while (block.length < 1 << 20)
      block += `line ${++line} of a file, with some words to make it as long as code\n`;
    bytes += writeSync(descriptor, block);
  }
  closeSync(descriptor);
  return line;
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

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
  console.log(
    `Node ${process.version}, median of ${rounds} rounds; memory at most, above the idle process\n`,
  );
  console.log("| what | ms | MB |");
  console.log("| --- | ---: | ---: |");
  for (const { name, ms, mb } of rows)
    console.log(`| ${name} | ${ms.toFixed(ms < 10 ? 1 : 0)} | ${mb.toFixed(1)} |`);
  mkdirSync(path.dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify({ node: process.version, rounds, rows }, null, 2)}\n`);
} finally {
  rmSync(root, { recursive: true });
}
