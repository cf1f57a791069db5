import { parentPort } from "node:worker_threads";
import { evaluate } from "./evaluate.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (expression: string) => parentPort?.postMessage(evaluate(expression)));
