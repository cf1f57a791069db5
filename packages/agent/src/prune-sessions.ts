import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isSetupError } from "@toycoder/core";
import { sessionIds, writtenAt } from "./find-session.ts";
import { DOOMED, removeSession } from "./remove-session.ts";
import { sessionsFolder } from "./session-folder.ts";
import { sizeOf } from "./session-summary.ts";

/** How long and up to what size sessions are kept. */
export interface Retention {
  keepDays: number;
  maxMegabytes: number;
}

/** What holds where a config says nothing. */
export const RETENTION: Retention = { keepDays: 30, maxMegabytes: 1024 };

/** In milliseconds. */
export const DAY: number = 24 * 60 * 60 * 1000;

/**
 * Removes the sessions that were last written longer ago than `keepDays`, then the oldest until all together have
 * at most `maxMegabytes`. The session `current`, and those that a process writes, always stay. Gives the names of
 * what went; what can't be removed stays and is no error.
 */
export function pruneSessions(
  state: string,
  { keepDays, maxMegabytes }: Retention,
  current: string,
  now: number = Date.now(),
): string[] {
  const removed: string[] = [];
  let room = maxMegabytes * 1024 * 1024;
  for (const id of sessionIds(state)) {
    const folder = path.join(sessionsFolder(state), id);
    try {
      room -= sizeOf(folder);
      if (id === current || (room >= 0 && now - writtenAt(folder) <= keepDays * DAY)) continue;
      removeSession(folder);
      removed.push(id);
    } catch (error) {
      // Somebody writes it, or another process was faster.
      if (!isSetupError(error) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  for (const name of readdirSync(sessionsFolder(state)))
    if (name.startsWith(DOOMED))
      rmSync(path.join(sessionsFolder(state), name), { recursive: true, force: true });
  return removed;
}

const HOUR = DAY / 24;

/** Does what `pruneSessions` does, unless that was done within the hour. Never throws: it is a thing for later. */
export function pruneHourly(state: string, retention: Retention, current: string): string[] {
  try {
    const mark = path.join(state, "pruned");
    const stats = statSync(mark, { throwIfNoEntry: false });
    if (stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) < HOUR) return [];
    rmSync(mark, { force: true });
    writeFileSync(mark, "", { mode: 0o600 });
    return pruneSessions(state, retention, current);
  } catch {
    return [];
  }
}
