import { lstatSync } from "node:fs";
import path from "node:path";
import { mayLackUtf8 } from "./unopenable.ts";

/** Puts files in the order of their time of change while they are still being listed. */
export class NewestFiles {
  readonly #start: string;
  readonly #files: string[] = [];
  readonly #times: number[] = [];

  /** `folder`: what the files' paths are relative to. */
  constructor(folder: string) {
    this.#start = folder.endsWith(path.sep) ? folder : folder + path.sep;
  }

  /** Takes files; those that are gone are left out, those whose name can't be looked up come last. */
  add(files: readonly string[]): void {
    for (const file of files) {
      const stats = lstatSync(this.#start + file, { throwIfNoEntry: false });
      if (stats === undefined && !mayLackUtf8(file)) continue;
      this.#files.push(file);
      this.#times.push(stats?.mtimeMs ?? 0);
    }
  }

  get all(): readonly string[] {
    return this.#files;
  }

  /** The newest ones, by name where times are the same. */
  first(limit: number): string[] {
    // Sorting numbers alone is quick; names are compared among those that may be shown.
    const oldest = Float64Array.from(this.#times).sort().at(-limit) ?? Number.NEGATIVE_INFINITY;
    const timed: { file: string; time: number }[] = [];
    for (const [index, file] of this.#files.entries()) {
      const time = this.#times[index] ?? 0;
      if (time >= oldest) timed.push({ file, time });
    }
    timed.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1));
    return timed.slice(0, limit).map(({ file }) => file);
  }
}
