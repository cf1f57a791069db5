import { parentPort, workerData } from "node:worker_threads";
import { pageMarkdown } from "./page-markdown.ts";

const { html, url } = workerData as { html: string; url: string };
// A port of a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(pageMarkdown(html, url));
