import { lstatSync } from "node:fs";
import path from "node:path";

/** Whether a name may have had bytes that are not UTF-8, which read as U+FFFD. */
export const mayLackUtf8 = (file: string): boolean => file.includes("\u{FFFD}");

/** How many of the files, relative to `folder`, have names that are not UTF-8: no tool can open them by a text. */
export function countUnopenable(files: readonly string[], folder: string): number {
  const gone = (file: string): boolean =>
    lstatSync(path.join(folder, file), { throwIfNoEntry: false }) === undefined;
  return files.filter((file) => mayLackUtf8(file) && gone(file)).length;
}
