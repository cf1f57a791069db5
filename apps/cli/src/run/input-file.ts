import type { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "@toycoder/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The bytes of a file that a flag names. Throws a UsageError for one that is missing, no file (a pipe without a
 * writer would never end) or longer than `maxBytes`; `tooLong` says what to do then.
 */
export async function readInputFile(
  flag: string,
  given: string,
  io: Io,
  { maxBytes, tooLong }: { maxBytes: number; tooLong: string },
): Promise<Buffer> {
  const problem = (what: string, hint?: string): UsageError =>
    new UsageError(`${flag} ${given}: ${what}`, hint);
  try {
    await using handle = await open(path.resolve(io.cwd, given), constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile())
      throw problem(stats.isDirectory() ? "it is a folder, not a file" : "it is no regular file");
    if (stats.size > maxBytes)
      throw problem(`it has ${stats.size} bytes; at most ${maxBytes} are taken`, tooLong);
    return await handle.readFile();
  } catch (error) {
    throw error instanceof UsageError ? error : problem(messageOf(error));
  }
}
