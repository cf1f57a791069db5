import { Buffer } from "node:buffer";
import { messageOf } from "@toycoder/core";

type Fetch = typeof globalThis.fetch;

export interface FetchLog {
  write(line: object): void;
  /** Values that no further line may show. */
  hide(values: readonly string[]): void;
}

/** An error's body is kept up to here. */
const MAX_ERROR_BYTES = 16_384;
/** A longer text without a blank is an image or a blob: its length is told. */
const MAX_WORD = 20_000;

/** A fetch that writes what goes over the wire: the request, the response's head, and how its body ended. */
export function logFetch(fetch: Fetch, log: FetchLog): Fetch {
  let count = 0;
  return async (input, init) => {
    const id = ++count;
    const started = performance.now();
    const passed = (): number => Math.round(performance.now() - started);
    const { url, method } =
      input instanceof Request ? input : { url: String(input), method: init?.method ?? "GET" };
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
    log.hide(secretsIn(headers));
    log.write({
      type: "request",
      id,
      method,
      url: shown(url),
      headers: shownHeaders(headers),
      body: bodyOf(init?.body),
    });
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      log.write({ type: "request_failed", id, durationMs: passed(), error: causes(error) });
      throw error;
    }
    const { ok, status } = response;
    log.write({
      type: "response",
      id,
      status,
      headers: shownHeaders(response.headers),
      durationMs: passed(),
    });
    return watched(response, ok ? 0 : MAX_ERROR_BYTES, (bytes, kept, end) => {
      // Whoever has the answer's last event reads no further, and closes the connection.
      const left = "left" in end || init?.signal?.aborted === true;
      const outcome = left ? "left" : "error" in end ? "broken" : "complete";
      log.write({
        type: "response_end",
        id,
        outcome,
        bytes,
        durationMs: passed(),
        ...(!ok && { body: kept }),
        ...(outcome === "broken" && "error" in end && { error: causes(end.error) }),
      });
    });
  };
}

type Ended = (bytes: number, kept: string, end: { left: true } | { error: unknown } | object) => void;

/** The same response, its body counted on the way; `keep` bytes of its start are kept. */
function watched(response: Response, keep: number, ended: Ended): Response {
  if (response.body === null) {
    ended(0, "", {});
    return response;
  }
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const start: Uint8Array[] = [];
  let bytes = 0;
  let over = false;
  const end = (how: Parameters<Ended>[2]): void => {
    if (!over) ended(bytes, Buffer.concat(start).toString("utf8", 0, keep), how);
    over = true;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end({});
          return controller.close();
        }
        if (bytes < keep) start.push(value);
        bytes += value.length;
        controller.enqueue(value);
      } catch (error) {
        end({ error });
        controller.error(error);
      }
    },
    async cancel(reason) {
      end({ left: true });
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers, url } = response;
  const copy = new Response(body, { status, statusText, headers: [...headers] });
  return Object.defineProperty(copy, "url", { value: url });
}

/** Only what is known to be no secret is shown: a config may put a key into a header of any name. */
const HARMLESS =
  /^(?:accept|content-|user-agent$|anthropic-(?:version|beta|ratelimit)|openai-(?:processing|version|model)|x-stainless-|x-ratelimit-|x-request-id$|request-id$|retry-after|x-should-retry$|cf-ray$|date$|server$|via$|connection$|transfer-encoding$|cache-control$)/;
const REMOVED = "[removed]";

const shownHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].map(([name, value]) => [name, HARMLESS.test(name) ? value : REMOVED]));

/** What the headers that are removed hold; what follows a scheme (`Bearer …`) by itself, too. */
const secretsIn = (headers: Headers): string[] =>
  [...headers].flatMap(([name, value]) => (HARMLESS.test(name) ? [] : [value, ...value.split(" ").slice(1)]));

/** Without user, password and the query's secrets. */
function shown(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.username = "";
  parsed.password = "";
  for (const name of parsed.searchParams.keys())
    if (/key|token|secret|sig|auth|password/i.test(name)) parsed.searchParams.set(name, REMOVED);
  return parsed.href;
}

function bodyOf(body: unknown): unknown {
  if (body === undefined || body === null) return null;
  if (typeof body !== "string") return "[not a text]";
  try {
    return JSON.parse(body, (_, value: unknown) =>
      typeof value === "string" && value.length > MAX_WORD && !/\s/.test(value)
        ? `[${value.length} characters]`
        : value,
    ) as unknown;
  } catch {
    return body;
  }
}

/** An error and what caused it, in a line. */
function causes(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at !== undefined && at !== null && messages.length < 5;) {
    messages.push(messageOf(at));
    at = typeof at === "object" && "cause" in at ? at.cause : undefined;
  }
  return messages.join(": ");
}
