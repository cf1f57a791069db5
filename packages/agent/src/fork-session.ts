import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { messageOf, SetupError } from "@toycoder/core";
import { EVENTS } from "./session-folder.ts";
import { SessionLock } from "./session-lock.ts";

const PARTS = ["before", "spill", EVENTS];

/**
 * Copies a session that nobody writes under a new name; the old one stays as it is. Gives the new folder. Throws a
 * SetupError: `session_locked`, `session_folder`.
 */
export function forkSession(folder: string, id: string): string {
  SessionLock.check(folder);
  const copy = path.join(path.dirname(folder), id);
  try {
    mkdirSync(copy, { mode: 0o700 });
    for (const part of PARTS) {
      const from = path.join(folder, part);
      if (existsSync(from)) cpSync(from, path.join(copy, part), { recursive: true });
    }
    return copy;
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw new SetupError("session_folder", `the session ${folder} cannot be copied: ${messageOf(error)}`);
  }
}
