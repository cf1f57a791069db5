import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** A file's bytes and permission bits; nulls where there is none. */
export interface FileNow {
  bytes: Buffer | null;
  mode: number | undefined;
}

/** What is at a real path now, or, in words, why what is there can't be replaced by a file. Follows no link. */
export function fileNow(file: string): FileNow | string {
  const parent = existingParent(file);
  try {
    if (realpathSync(parent) !== parent) return "a folder of its path is a symbolic link now";
    if (!statSync(parent).isDirectory()) return "a folder of its path is a file now";
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { bytes: null, mode: undefined };
    if (stats.isSymbolicLink()) return "it is a symbolic link now";
    if (!stats.isFile()) return "it is no regular file now";
    return { bytes: readFileSync(file), mode: stats.mode & 0o7777 };
  } catch (error) {
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`;
  }
}

/** The nearest folder above the file that is there. */
function existingParent(file: string): string {
  let parent = path.dirname(file);
  while (lstatSync(parent, { throwIfNoEntry: false }) === undefined && path.dirname(parent) !== parent)
    parent = path.dirname(parent);
  return parent;
}
