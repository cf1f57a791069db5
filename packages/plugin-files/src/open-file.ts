import { type BigIntStats, constants, fstatSync, realpathSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type ResolvedPath, ToolError } from "@toycoder/core";
import { fileError } from "./file-error.ts";
import { nearHint } from "./near-hint.ts";

export interface OpenFile {
  handle: FileHandle;
  stats: BigIntStats;
}

/**
 * Opens a regular file for reading, never blocking, and makes sure that it is the file at `real`, not one behind a
 * link put there since. Throws a ToolError: `not_found` (with near names that `mayRead` lets through),
 * `is_directory`, `not_a_file`, `not_permitted`, `changed_path`.
 */
export async function openRegular(file: ResolvedPath, mayRead: (path: string) => boolean): Promise<OpenFile> {
  checkRegular(await statExisting(file, mayRead), file);
  let handle: FileHandle;
  try {
    handle = await open(file.real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    throw fileError(error, file.display);
  }
  try {
    const stats = fstatSync(handle.fd, { bigint: true });
    checkRegular(stats, file);
    if (realpathSync.native(file.real) !== file.real) {
      throw new ToolError("changed_path", `${file.display}: a folder of the path has become a symbolic link`);
    }
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw fileError(error, file.display);
  }
}

/** The stats of what is at `file`. Throws a ToolError `not_found` with near names. */
export async function statExisting(
  file: ResolvedPath,
  mayRead: (path: string) => boolean,
): Promise<BigIntStats> {
  try {
    return statSync(file.real, { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw fileError(error, file.display);
    throw new ToolError("not_found", `there is no ${file.display}`, await nearHint(file, mayRead));
  }
}

/** Throws `is_directory` or `not_a_file` for what has no content of its own. */
function checkRegular(stats: BigIntStats, { display }: ResolvedPath): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) {
    throw new ToolError("is_directory", `${display} is a folder`, { hint: "list_dir shows what is in it" });
  }
  const kind = stats.isFIFO() ? "a FIFO" : stats.isSocket() ? "a socket" : "a device";
  throw new ToolError("not_a_file", `${display} is ${kind}, not a file: it is never opened`);
}
