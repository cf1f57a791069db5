import type { Buffer } from "node:buffer";
import { cutLine, SHOWN } from "./cut-line.ts";
import type { MatchSink } from "./match-parser.ts";

/** One line of a result. */
export interface FoundLine {
  number: number;
  isMatch: boolean;
  text: string;
  /** It is longer than what is shown. */
  long: boolean;
}

/** What was found in one file; `matches` counts all matching lines, `lines` holds those that may be shown. */
export interface FoundFile {
  path: string;
  matches: number;
  lines: FoundLine[];
}

/** `files` are sorted and cut; `matches` and `fileCount` count everything. */
export interface FoundMatches {
  files: FoundFile[];
  matches: number;
  fileCount: number;
}

/**
 * Collects matches for a result that is sorted by path and cut after `limit` matching lines. Everything is
 * counted; kept are only lines that may still be shown, so memory doesn't grow with the number of matches.
 */
export class MatchCollector implements MatchSink {
  readonly #limit: number;
  readonly #context: number;
  readonly #accepts: (path: string) => boolean;
  #files: FoundFile[] = [];
  #open: FoundFile | undefined;
  /** Matches kept in all files. */
  #kept = 0;
  /** Files behind this path are beyond the cut. */
  #last: string | undefined;
  #keepsOpen = true;
  #matches = 0;
  #fileCount = 0;

  /** `context`: lines around a match that come with it. */
  constructor(options: { limit: number; context: number; accepts: (path: string) => boolean }) {
    this.#limit = options.limit;
    this.#context = options.context;
    this.#accepts = options.accepts;
  }

  startFile(path: string): boolean {
    this.#close();
    if (!this.#accepts(path)) return false;
    this.#open = { path, matches: 0, lines: [] };
    this.#keepsOpen = this.#last === undefined || path <= this.#last;
    return true;
  }

  line(isMatch: boolean, number: number, bytes: Buffer, start: number, end: number, column: number): void {
    if (this.#keeps(isMatch)) {
      const text = cutLine(bytes.subarray(start, end), column);
      this.#open?.lines.push({ number, isMatch, text, long: end - start > SHOWN });
    }
    if (isMatch && this.#open !== undefined) this.#open.matches++;
  }

  longLine(isMatch: boolean, number: number, text: string): void {
    if (this.#keeps(isMatch)) this.#open?.lines.push({ number, isMatch, text, long: true });
    if (isMatch && this.#open !== undefined) this.#open.matches++;
  }

  #keeps(isMatch: boolean): boolean {
    if (this.#open === undefined || !this.#keepsOpen) return false;
    return isMatch ? this.#open.matches < this.#limit : this.#open.matches <= this.#limit;
  }

  dropFile(): void {
    this.#open = undefined;
  }

  /** The files in the order of their paths, with at most `limit` matches between them. */
  finish(): FoundMatches {
    this.#close();
    this.#prune();
    return { files: this.#files, matches: this.#matches, fileCount: this.#fileCount };
  }

  #close(): void {
    const file = this.#open;
    this.#open = undefined;
    if (file === undefined || file.matches === 0) return;
    this.#matches += file.matches;
    this.#fileCount++;
    if (!this.#keepsOpen) return;
    this.#files.push(file);
    this.#kept += Math.min(file.matches, this.#limit);
    if (this.#kept > 4 * this.#limit + 1000) this.#prune();
  }

  #prune(): void {
    this.#files.sort((a, b) => (a.path < b.path ? -1 : 1));
    let left = this.#limit;
    let count = 0;
    for (const file of this.#files) {
      if (left === 0) break;
      left -= cutFile(file, left, this.#context);
      count++;
    }
    this.#files = this.#files.slice(0, count);
    this.#kept = this.#limit - left;
    if (left === 0) this.#last = this.#files.at(-1)?.path;
  }
}

/** Takes the lines after the first `limit` matches away, their context included; gives the matches kept. */
function cutFile(file: FoundFile, limit: number, context: number): number {
  let kept = 0;
  let last = 0;
  const end = file.lines.findIndex(({ isMatch, number }) => {
    if (isMatch && ++kept <= limit) last = number;
    return kept > limit;
  });
  const shown = end === -1 ? file.lines : file.lines.slice(0, end);
  file.lines = shown.filter(({ number }) => number <= last + context);
  return Math.min(kept, limit);
}
