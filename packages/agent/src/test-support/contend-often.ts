import { closeSync, openSync, rmSync } from "node:fs";
import { isSetupError } from "@toycoder/core";
import { SessionLock } from "../session-lock.ts";

// A process that takes and gives back the session in argv[2] until it has had it argv[3] times. It fails where
// another has it at the same time.
const [, , folder = "", times = ""] = process.argv;
for (let had = 0; had < Number(times);) {
  try {
    const lock = SessionLock.acquire(folder);
    closeSync(openSync(`${folder}/held`, "wx"));
    rmSync(`${folder}/held`);
    lock.release();
    had++;
  } catch (error) {
    if (!isSetupError(error)) throw error;
  }
}
