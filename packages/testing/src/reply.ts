import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Reply } from "./fake-provider.ts";

/** How a body ends: in good order, with a reset of the connection, or not at all. */
export type BodyEnd = "clean" | "reset" | "open";

const EVENT_STREAM = "text/event-stream";

/**
 * Values as the text of an event stream. A string is sent as it is (`[DONE]`); an object with a `type` has it as
 * its event's name too.
 */
export const eventStream = (events: readonly unknown[]): string => events.map(framed).join("");

function framed(event: unknown): string {
  if (typeof event === "string") return `data: ${event}\n\n`;
  const type: unknown =
    typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
  return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
}

function raw(text: string, end: BodyEnd = "clean", type: string = EVENT_STREAM): Reply {
  return (response) => {
    response.writeHead(200, { "content-type": type });
    response.write(text, () => {
      if (end === "clean") response.end();
      // The bytes are with the client's kernel; give its stream one turn to take them before the reset.
      if (end === "reset") setImmediate(() => response.socket?.resetAndDestroy());
    });
  };
}

function status(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = text.startsWith("<") ? "text/html" : "application/json";
    response.writeHead(code, { "content-type": type, ...headers }).end(text);
  };
}

async function writeEach(response: ServerResponse, pieces: Iterable<Uint8Array>): Promise<void> {
  for (const piece of pieces) {
    await new Promise((resolve) => response.write(piece, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

/** What a server may do with a request, its faults included. */
export interface Replies {
  /** An event stream of JSON values, as {@link eventStream} writes them. */
  events(events: readonly unknown[], end?: BodyEnd): Reply;
  /** A body with status 200, as it is; its type is an event stream's unless given. */
  raw(text: string, end?: BodyEnd, type?: string): Reply;
  /** An event stream whose bytes come one by one. */
  byteByByte(text: string): Reply;
  /** An event stream, compressed. */
  gzip(text: string): Reply;
  json(value: unknown): Reply;
  /** Any status; a body that starts with `<` is a web page. */
  status(code: number, body: unknown, headers?: Readonly<Record<string, string>>): Reply;
  /** Closes the connection before any byte. */
  close: Reply;
  /** Takes the request and never answers. */
  silence: Reply;
}

/** Ways in which a fake provider answers. */
export const reply: Replies = {
  events: (events, end) => raw(eventStream(events), end),
  raw,
  byteByByte: (text) => (response) => {
    response.writeHead(200, { "content-type": EVENT_STREAM });
    void writeEach(
      response,
      Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)),
    );
  },
  gzip: (text) => (response) => {
    response.writeHead(200, { "content-type": EVENT_STREAM, "content-encoding": "gzip" });
    response.end(gzipSync(text));
  },
  json: (value) => status(200, value),
  status,
  close: (response) => void response.socket?.destroy(),
  silence: () => undefined,
};
