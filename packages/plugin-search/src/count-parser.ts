import { Buffer } from "node:buffer";
import type { FoundFile, FoundMatches } from "./match-collector.ts";

/** Reads ripgrep's output of `--count --null`: `PATH NUL COUNT` for each file with a match. */
export class CountParser {
  readonly #accepts: (path: string) => boolean;
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];

  /** `limit`: files to give at most. */
  constructor(accepts: (path: string) => boolean, limit: number) {
    this.#accepts = accepts;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  finish(): FoundMatches {
    const files: FoundFile[] = [];
    const output = Buffer.concat(this.#chunks).toString("utf8");
    for (const [, name = "", matches] of output.matchAll(/([^\0]+)\0(\d+)\r?\n/g)) {
      const path = name.startsWith("./") ? name.slice(2) : name;
      if (this.#accepts(path)) files.push({ path, matches: Number(matches), lines: [] });
    }
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const matches = files.reduce((sum, file) => sum + file.matches, 0);
    return { files: files.slice(0, this.#limit), matches, fileCount: files.length };
  }
}
