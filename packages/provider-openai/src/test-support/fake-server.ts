import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers one request. */
export type Answer = (response: ServerResponse) => void;

export interface FakeServer extends AsyncDisposable {
  /** With `/v1`. */
  readonly url: string;
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[];
}

/** A server on 127.0.0.1 that gives its answers in order, and the last one for ever. */
export async function fakeServer(...answers: Answer[]): Promise<FakeServer> {
  const requests: FakeServer["requests"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(body || "{}") as Record<string, unknown>,
      });
      answer?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An event stream of raw text, then its end: `clean`, a `reset`, or none at all (`open`). */
export const raw =
  (text: string, end: "clean" | "reset" | "open" = "clean", type = "text/event-stream"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": type });
    response.write(text, () => {
      if (end === "clean") response.end();
      // The bytes are with the client's kernel; give its stream one turn to take them before the reset.
      if (end === "reset") setImmediate(() => response.socket?.resetAndDestroy());
    });
  };

/** An event stream of JSON values. */
export const sse = (events: readonly unknown[], end: "clean" | "reset" | "open" = "clean"): Answer =>
  raw(events.map((event) => `data: ${event === "[DONE]" ? event : JSON.stringify(event)}\n\n`).join(""), end);

export const json = (value: unknown): Answer => status(200, value);

export const status =
  (code: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = text.startsWith("<") ? "text/html" : "application/json";
    response.writeHead(code, { "content-type": type, ...headers }).end(text);
  };

/** Closes the connection before any byte. */
export const close: Answer = (response) => void response.socket?.destroy();

/** Takes the request and never answers. */
export const silence: Answer = () => undefined;
