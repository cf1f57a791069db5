import type { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { type BigIntStats, fchmodSync, fchownSync, fstatSync, lstatSync } from "node:fs";
import { open, readdir, rename, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { type AnchoredFolder, anchorFolder } from "./anchored-folder.ts";

export interface AtomicWrite {
  /** The real path; its folder is made where it is missing. */
  target: string;
  bytes: Buffer;
  /** The stats of the file that is replaced; undefined where none is there. Its mode and owner are kept. */
  replaces: BigIntStats | undefined;
  /** Called right before the new file takes its place; what it throws calls the write off. */
  check?: () => void;
  signal?: AbortSignal;
}

/**
 * Writes a file as a whole: a temporary file beside it, flushed to disk, renamed over it. At any moment the old
 * content or the new one is there, complete; on an error the old one stays and the temporary file goes. Gives the
 * new file's stats. Throws the file system's errors.
 */
export async function atomicWrite(write: AtomicWrite): Promise<BigIntStats> {
  const folder = await anchorFolder(path.dirname(write.target));
  try {
    return await writeWithin(folder, write);
  } finally {
    await folder.close();
  }
}

async function writeWithin(folder: AnchoredFolder, write: AtomicWrite): Promise<BigIntStats> {
  const { bytes, replaces } = write;
  const target = folder.at(path.basename(write.target));
  const temporary = folder.at(`${temporaryPrefix()}${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  const handle = await open(temporary, "wx", replaces === undefined ? 0o666 : 0o600);
  try {
    try {
      await handle.writeFile(bytes);
      if (replaces !== undefined) takeOver(handle.fd, replaces);
      await handle.sync();
    } finally {
      await handle.close();
    }
    write.check?.();
    write.signal?.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await folder.sync();
  return lstatSync(target, { bigint: true });
}

/** Owner first: changing it may clear mode bits. A foreign owner can't always be kept. */
function takeOver(fd: number, { uid, gid, mode }: BigIntStats): void {
  const own = fstatSync(fd, { bigint: true });
  if (own.uid !== uid || own.gid !== gid) tryToGive(fd, Number(uid), Number(gid));
  fchmodSync(fd, permissionBits(mode));
}

function tryToGive(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // It stays with who writes it.
  }
}

export const permissionBits = (mode: bigint): number => Number(mode) & 0o7777;

/** Names this machine, so that a process number in a shared folder is only looked up where it belongs. */
function temporaryPrefix(): string {
  return `.toycoder-${createHash("sha256").update(hostname()).digest("hex").slice(0, 8)}-`;
}

/** Removes temporary files of processes of this machine that are gone: killed in the middle of a write. */
export async function removeLeftovers(folder: string): Promise<void> {
  const prefix = temporaryPrefix();
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || !name.endsWith(".tmp")) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (pid > 0 && !isAlive(pid)) await unlink(path.join(folder, name)).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
