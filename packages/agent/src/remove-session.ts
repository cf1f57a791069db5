import { randomBytes } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { messageOf, SetupError } from "@toycoder/core";
import { SessionLock } from "./session-lock.ts";

/** What the folders of half removed sessions are called. */
export const DOOMED = ".removed-";

/** Removes a session whole. Throws a SetupError: `session_locked` where a process writes it, `session_folder`. */
export function removeSession(folder: string): void {
  const lock = SessionLock.acquire(folder);
  // Under another name first: what is half removed is no session.
  const doomed = path.join(path.dirname(folder), `${DOOMED}${randomBytes(6).toString("hex")}`);
  try {
    renameSync(folder, doomed);
    rmSync(doomed, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw new SetupError("session_folder", `the session ${folder} cannot be removed: ${messageOf(error)}`);
  } finally {
    lock.release();
  }
}
