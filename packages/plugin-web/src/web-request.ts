import { ToolError } from "@toycoder/core";
import { checkLiteral, guardedLookup, type Lookup } from "./guarded-lookup.ts";
import { networkError } from "./network-error.ts";
import { openDispatcher } from "./open-dispatcher.ts";
import type { PrivateAccess } from "./private-access.ts";
import { readBody } from "./read-body.ts";
import type { WebTarget } from "./web-target.ts";

export interface RequestOptions {
  access: PrivateAccess;
  lookup: Lookup;
  proxy: boolean;
  userAgent: string;
  maxBytes: number;
  timeoutMs: number;
}

/** One answer of a server. `location` is where it redirects to, in its own words; the body is then left unread. */
export interface WebAnswer {
  target: WebTarget;
  status: number;
  header(name: string): string | undefined;
  body: Buffer;
  location?: string;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** One GET, on a connection of its own, with neither cookies nor credentials. Throws a ToolError. */
export async function webRequest(
  target: WebTarget,
  options: RequestOptions,
  signal: AbortSignal,
): Promise<WebAnswer> {
  const { access, lookup, proxy, userAgent, maxBytes, timeoutMs } = options;
  checkLiteral(target, access);
  const { request } = await import("undici");
  const guarded = guardedLookup(target, access, lookup);
  const dispatcher = await openDispatcher({ lookup: guarded, proxy, timeoutMs });
  try {
    const { statusCode, headers, body } = await request(target.url, {
      dispatcher,
      signal,
      headers: {
        "user-agent": userAgent,
        accept: "text/markdown, text/html;q=0.9, */*;q=0.5",
        "accept-encoding": "gzip, deflate, br, zstd",
      },
      // The signal bounds the whole.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const header = (name: string): string | undefined => [headers[name] ?? []].flat()[0];
    const answer = { target, status: statusCode, header };
    const location = REDIRECTS.has(statusCode) ? header("location") : undefined;
    if (location !== undefined) {
      body.on("error", () => {}).destroy();
      return { ...answer, body: Buffer.alloc(0), location };
    }
    const encodings = [headers["content-encoding"] ?? []].flat().join(",");
    return { ...answer, body: await readBody(body, encodings, maxBytes) };
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(error, target.host);
  } finally {
    void dispatcher.destroy().catch(() => {});
  }
}

/** Runs `work` with a signal that ends it after `timeoutMs`, as the ToolError `timeout`, or when `outer` says so. */
export async function withinTime<T>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([outer, limit]);
  try {
    return await work(signal);
  } catch (error) {
    outer.throwIfAborted();
    if (!limit.aborted) throw error;
    throw new ToolError("timeout", `the answer was not there, whole, within ${timeoutMs / 1000} s`, {
      hint: "the server is slow or endless; try another source, or once more later",
    });
  }
}
