import { Worker } from "node:worker_threads";
import { ToolError } from "@toycoder/core";
import type { PageMarkdown } from "./page-markdown.ts";

const TIME_MS = 10_000;
const MEMORY_MB = 512;

/** From the sources, and from what is built of them. */
const worker = (): URL =>
  new URL(import.meta.url.endsWith(".ts") ? "./page-worker.ts" : "./page-worker.js", import.meta.url);

/**
 * A page as Markdown, made in a thread of its own, which ends after ten seconds, at half a gigabyte or at an abort:
 * no page can hold up the run. Throws a ToolError `unreadable_page`.
 */
export async function convertPage(
  html: string,
  url: string,
  signal: AbortSignal,
  timeMs: number = TIME_MS,
): Promise<PageMarkdown> {
  signal.throwIfAborted();
  const thread = new Worker(worker(), {
    workerData: { html, url },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    execArgv: [],
    env: {},
  });
  const limit = AbortSignal.timeout(timeMs);
  try {
    return await new Promise<PageMarkdown>((resolve, reject) => {
      const unreadable = (why: string): void =>
        reject(
          new ToolError("unreadable_page", `the page could not be made into Markdown: ${why}`, {
            hint: "raw: true gives its HTML",
          }),
        );
      thread.once("message", resolve);
      thread.once("error", (error: unknown) =>
        unreadable(error instanceof Error ? error.message : String(error)),
      );
      thread.once("exit", () => unreadable("its thread ended"));
      limit.addEventListener("abort", () => unreadable(`it takes longer than ${timeMs / 1000} s`), {
        once: true,
      });
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  } finally {
    await thread.terminate();
  }
}
