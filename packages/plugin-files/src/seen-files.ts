import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type ResolvedPath, ToolError, type ToolContext } from "@toycoder/core";

/** What a session knows of a file that it has read or written. `hash` is there for files up to {@link HASHED}. */
export interface SeenFile {
  identity: string;
  hash?: string;
}

/** Bytes up to which content itself is compared, not time and size alone. */
export const HASHED: number = 8 * 1024 * 1024;

/** The same for as long as nobody replaces or rewrites the file. */
export const identityOf = (stats: BigIntStats): string =>
  `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;

export const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("base64");

const seenIn = (ctx: Pick<ToolContext, "state">): Map<string, SeenFile> =>
  ctx.state("files:seen") as Map<string, SeenFile>;

export function rememberSeen(ctx: Pick<ToolContext, "state">, file: ResolvedPath, seen: SeenFile): void {
  seenIn(ctx).set(file.real, seen);
}

/** What is to be remembered of a file whose whole content is at hand. */
export function seenFile(stats: BigIntStats, bytes: Buffer): SeenFile {
  const identity = identityOf(stats);
  return bytes.length <= HASHED ? { identity, hash: hashOf(bytes) } : { identity };
}

/**
 * Whether the session has read or written the file before. Throws a ToolError `stale_file` where it has, and
 * somebody else changed the file since.
 */
export function checkFresh(
  ctx: Pick<ToolContext, "state">,
  file: ResolvedPath,
  stats: BigIntStats,
  bytes: Buffer,
): boolean {
  const seen = seenIn(ctx).get(file.real);
  if (seen === undefined) return false;
  const fresh = seen.hash === undefined ? seen.identity === identityOf(stats) : seen.hash === hashOf(bytes);
  if (!fresh) throw staleFile(file);
  return true;
}

export const staleFile = ({ display }: ResolvedPath): ToolError =>
  new ToolError("stale_file", `${display} has changed on disk since it was last read`, {
    hint: "read it again with read_file, then repeat the call",
  });
