import { SessionLock } from "../session-lock.ts";

// A process that wants the session in argv[2]: it prints what comes of it, and keeps the lock until its stdin ends.
const [, , folder = ""] = process.argv;
try {
  const lock = SessionLock.acquire(folder);
  process.stdout.write("held\n");
  process.stdin.on("end", () => lock.release()).resume();
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
