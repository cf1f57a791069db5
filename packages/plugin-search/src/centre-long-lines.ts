import type { Buffer } from "node:buffer";
import { cutLine } from "./cut-line.ts";
import type { FoundFile, FoundLine } from "./match-collector.ts";
import { MatchParser, type MatchSink } from "./match-parser.ts";
import { runRipgrep, type RipgrepRun } from "./run-ripgrep.ts";

/** Bytes of paths that one run is given at most. */
const MAX_ARGS = 60_000;

/**
 * Cuts the long lines that will be shown around their match, not at their start. Where the match is takes ripgrep
 * another look, which is spared for all other lines: `--column` makes it several times slower. A line that is no
 * longer there stays as it is. `run.args` are the options of the first search, its pattern among them.
 */
export async function centreLongLines(
  files: readonly FoundFile[],
  run: Omit<RipgrepRun, "onOutput">,
): Promise<void> {
  const lines = new LongLines(files);
  // A name that isn't UTF-8 can't be given to a program.
  const paths = [...lines.byPath.keys()].filter((path) => !path.includes("\u{FFFD}"));
  while (paths.length > 0) {
    let bytes = 0;
    const count = paths.findIndex((path) => (bytes += 3 * path.length) > MAX_ARGS);
    const some = paths.splice(0, count === -1 ? paths.length : Math.max(1, count)).map((path) => `./${path}`);
    const parser = new MatchParser(lines, { columns: true });
    const args = ["--no-config", ...run.args, "--context", "0", "--column", "--", ...some];
    await runRipgrep({ ...run, args, onOutput: (chunk) => parser.push(chunk) });
  }
}

/** Hears of the second look, and corrects the lines in place. */
class LongLines implements MatchSink {
  readonly byPath = new Map<string, Map<number, FoundLine>>();
  #lines: ReadonlyMap<number, FoundLine> | undefined;

  constructor(files: readonly FoundFile[]) {
    for (const { path, lines } of files) {
      const long = lines.filter((line) => line.long && line.isMatch);
      if (long.length > 0) this.byPath.set(path, new Map(long.map((line) => [line.number, line])));
    }
  }

  startFile(path: string): boolean {
    this.#lines = this.byPath.get(path);
    return this.#lines !== undefined;
  }

  line(isMatch: boolean, number: number, bytes: Buffer, start: number, end: number, column: number): void {
    const line = isMatch ? this.#lines?.get(number) : undefined;
    if (line?.long === true) line.text = cutLine(bytes.subarray(start, end), column);
  }

  longLine(isMatch: boolean, number: number, text: string): void {
    const line = isMatch ? this.#lines?.get(number) : undefined;
    if (line !== undefined) line.text = text;
  }

  dropFile(): void {
    this.#lines = undefined;
  }
}
