import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { SetupError } from "@toycoder/core";
import { processStart } from "./process-start.ts";

/** The process that writes a session. */
export interface LockHolder {
  pid: number;
  /** When it began, so that a later process of the same number is not taken for it. */
  start: string;
  host: string;
}

/**
 * One writer per session, across processes. Locks are the files `lock.N` of the session folder; the highest number
 * counts. It holds its holder as JSON, or nothing where it was given back. Who wants the session makes the next
 * number, whole and only where it is not there yet, if the highest is free or its holder is gone. A highest file is
 * never removed, so two can't both come to hold the session.
 */
export class SessionLock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Throws a SetupError `session_locked` with the holder's process where there is one. */
  static acquire(folder: string): SessionLock {
    const own: LockHolder = { pid: process.pid, start: processStart(process.pid) ?? "", host: hostname() };
    for (;;) {
      const last = SessionLock.check(folder);
      const file = lockFile(folder, last + 1);
      if (!createWhole(file, JSON.stringify(own))) continue;
      if (newest(folder) === last + 1) {
        for (const number of numbers(folder))
          if (number <= last) rmSync(lockFile(folder, number), { force: true });
        return new SessionLock(file);
      }
      // The number was free only since others had come and gone with higher ones in the meantime.
      rmSync(file, { force: true });
    }
  }

  /** Throws a SetupError `session_locked` where a process writes the session; else gives the last lock's number. */
  static check(folder: string): number {
    const last = newest(folder);
    const holder = holderOf(folder, last);
    if (holder !== undefined) throw locked(folder, holder, last);
    return last;
  }

  /** Gives the session back. */
  release(): void {
    try {
      truncateSync(this.#file);
    } catch {
      // The session folder is gone.
    }
  }
}

/** Who writes the session at the moment. */
export const lockHolder = (folder: string): LockHolder | undefined => holderOf(folder, newest(folder));

const lockFile = (folder: string, number: number): string => path.join(folder, `lock.${number}`);

const numbers = (folder: string): number[] =>
  readdirSync(folder).flatMap((name) =>
    /^lock\.\d+$/.test(name) ? [Number(name.slice("lock.".length))] : [],
  );

const newest = (folder: string): number => Math.max(0, ...numbers(folder));

function holderOf(folder: string, number: number): LockHolder | undefined {
  try {
    const holder = JSON.parse(readFileSync(lockFile(folder, number), "utf8")) as LockHolder;
    // Whether a process of another machine runs can't be known from here.
    if (holder.host !== hostname()) return holder;
    return processStart(holder.pid) === holder.start ? holder : undefined;
  } catch {
    return undefined;
  }
}

/** False where the file is there already. */
function createWhole(file: string, content: string): boolean {
  const temporary = `${path.dirname(file)}/.lock-${randomBytes(6).toString("hex")}`;
  writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function locked(folder: string, { pid, host }: LockHolder, number: number): SetupError {
  const here = host === hostname();
  const where = here ? "" : ` on ${host}`;
  const hint = here
    ? "wait for it to end, or stop it"
    : `where that process no longer runs, remove ${lockFile(folder, number)}`;
  return new SetupError(
    "session_locked",
    `the session ${path.basename(folder)} is being written by process ${pid}${where}`,
    { hint },
  );
}
