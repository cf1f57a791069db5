import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { answer } from "./answer.ts";
import type { Request } from "./request.ts";

/*
 * A process of its own for one statement: SQLite computes without a pause, and nothing but the end of the process
 * stops it.
 */
const { question, lifeMs } = JSON.parse(readFileSync(0, "utf8")) as Request;
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
const watchdog = new Worker(new URL(`./watchdog.${extension}`, import.meta.url), {
  workerData: { lifeMs, parent: process.ppid },
});
watchdog.unref();
process.stdout.write(JSON.stringify(answer(question)));
