import { workerData } from "node:worker_threads";

/* Ends the process that it watches when it takes too much memory or time, or when its parent is gone. */
const MAX_BYTES = 512 * 1024 * 1024;
const LOOK_EVERY_MS = 25;

const { lifeMs, parent } = workerData as { lifeMs: number; parent: number };
const end = performance.now() + lifeMs;

setInterval(() => {
  if (process.memoryUsage.rss() < MAX_BYTES && performance.now() < end && process.ppid === parent) return;
  process.kill(process.pid, "SIGKILL");
}, LOOK_EVERY_MS);
