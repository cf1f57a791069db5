import type { Buffer } from "node:buffer";
import { accessSync, constants, type BigIntStats, existsSync, statSync } from "node:fs";
import path from "node:path";
import type { ResolvedPath, ToolContext } from "@toycoder/core";
import { atomicWrite, permissionBits, removeLeftovers } from "./atomic-write.ts";
import { fileError } from "./file-error.ts";
import { identityOf, rememberSeen, seenFile, staleFile } from "./seen-files.ts";

export interface Replacement {
  /** The content and stats of the file as the change was worked out from them; null and undefined: no file. */
  before: Buffer | null;
  stats: BigIntStats | undefined;
  after: Buffer;
}

/**
 * Puts a changed file in its place, and makes the change known to the session. Throws a ToolError `stale_file`
 * where the file is no longer what `stats` says, and the mapped errors of the file system.
 */
export async function replaceFile(ctx: ToolContext, file: ResolvedPath, change: Replacement): Promise<void> {
  const { before, stats, after } = change;
  const folder = path.dirname(file.real);
  const swept = ctx.state("files:swept");
  try {
    if (stats !== undefined) accessSync(file.real, constants.W_OK);
    if (!swept.has(folder)) await removeLeftovers(folder);
    swept.set(folder, true);
    const folders = missingFolders(folder);
    const written = await atomicWrite({
      target: file.real,
      bytes: after,
      replaces: stats,
      check: () => checkUnchanged(file, stats),
      signal: ctx.signal,
    });
    rememberSeen(ctx, file, seenFile(written, after));
    const mode = {
      ...(stats && { before: permissionBits(stats.mode) }),
      after: permissionBits(written.mode),
    };
    ctx.recordChange({ path: file, before, after, mode, folders });
  } catch (error) {
    throw fileError(error, file.display);
  }
}

/** The folders from here upward that are not there yet, outermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(path.dirname(folder)), folder];
}

function checkUnchanged(file: ResolvedPath, stats: BigIntStats | undefined): void {
  const now = statsNow(file.real);
  const same =
    stats === undefined ? now === undefined : now !== undefined && identityOf(now) === identityOf(stats);
  if (!same) throw staleFile(file);
}

function statsNow(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
