import { lstatSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";

/** Files looked at before others get a turn. */
const BATCH = 2000;

/**
 * Paths, relative to `folder`, by time of change, newest first, and by name where that is the same. Those that are
 * gone are left out.
 */
export async function newestFirst(
  files: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  const timed: { file: string; time: number }[] = [];
  for (const [index, file] of files.entries()) {
    if (index % BATCH === BATCH - 1) {
      await setImmediate();
      signal.throwIfAborted();
    }
    const stats = lstatSync(folder + path.sep + file, { throwIfNoEntry: false });
    if (stats !== undefined) timed.push({ file, time: stats.mtimeMs });
  }
  return timed.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
