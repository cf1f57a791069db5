import { setTimeout as delay } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isRecord, retryAfterMs } from "@toycoder/core/wire";

export interface HttpFetchOptions {
  fetch: FetchLike;
  /** Whether a message may be sent again that the server may have got already. */
  mayRepeat: (message: unknown) => boolean;
  /** The answer to a request broke off, and cannot be taken up again. */
  onBroken: (requestId: string | number) => void;
}

const RETRIES = 3;
const BASE_MS = 200;
const MAX_WAIT_MS = 5000;
/** Statuses with which a server says that it has not begun. */
const NOT_BEGUN: ReadonlySet<number> = new Set([429, 503]);
const NOT_SENT: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
/** What was parsed of a response has to get through the parser first. */
const SETTLE_MS = 100;

/**
 * Fetch for the SDK's transports, which make each request once: a POST is repeated where the server has not begun
 * with it, and after a 5xx or a broken connection where it may be. Redirects are the transport's: it follows none
 * to another origin.
 */
export function createHttpFetch({ fetch, mayRepeat, onBroken }: HttpFetchOptions): FetchLike {
  return async (url, init) => {
    if (init?.method !== "POST") return await fetch(url, init);
    const message = parse(init.body);
    const response = await withRetries(
      () => fetch(url, init),
      mayRepeat(message),
      init.signal ?? new AbortController().signal,
    );
    const id = isRecord(message) && message.method !== undefined ? message.id : undefined;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream || response.body === null || (typeof id !== "string" && typeof id !== "number"))
      return response;
    const watched = watchEnd(response.body, () => {
      setTimeout(() => onBroken(id), SETTLE_MS).unref();
    });
    const { status, statusText, headers } = response;
    return new Response(watched, { status, statusText, headers });
  };
}

async function withRetries(
  send: () => Promise<Response>,
  repeatable: boolean,
  signal: AbortSignal,
): Promise<Response> {
  for (let failed = 0; ; failed++) {
    const last = failed >= RETRIES;
    let wait = BASE_MS * 3 ** failed * (1 - Math.random() / 4);
    try {
      const response = await send();
      const again = NOT_BEGUN.has(response.status) || (repeatable && response.status >= 500);
      if (!again || last) return response;
      wait = retryAfterMs(response.headers, Date.now()) ?? wait;
      await response.body?.cancel();
    } catch (error) {
      if (last || signal.aborted || !(repeatable ? isNetwork(error) : NOT_SENT.has(codeOf(error))))
        throw error;
    }
    await delay(Math.min(wait, MAX_WAIT_MS), undefined, { signal });
  }
}

const isNetwork = (error: unknown): boolean => error instanceof TypeError && codeOf(error) !== "ENOTFOUND";

/** The system's code behind a failed fetch. */
export function codeOf(error: unknown): unknown {
  for (let cause = error, depth = 0; isRecord(cause) && depth < 6; cause = cause.cause, depth++) {
    const [first] = Array.isArray(cause.errors) ? (cause.errors as unknown[]) : [cause];
    const code = isRecord(first) ? first.code : undefined;
    if (typeof code === "string") return code;
  }
  return undefined;
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

/** The same stream; tells of its end, good or bad, unless its events have ids by which it can be taken up again. */
function watchEnd(stream: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let resumable = false;
  let atLineStart = true;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          if (!resumable) {
            const text = decoder.decode(value, { stream: true });
            resumable = (atLineStart && text.startsWith("id:")) || text.includes("\nid:");
            atLineStart = text.endsWith("\n");
          }
          return controller.enqueue(value);
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      if (!resumable) onEnd();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
