import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers one request; see {@link reply} for those that a provider's tests need. */
export type Reply = (response: ServerResponse) => void;

/** A request that a fake provider got. */
export interface ReceivedRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON object that was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the answer is out, or the client has gone away. */
  readonly closed: Promise<void>;
}

/** A provider on a port of this machine. */
export interface FakeProvider extends AsyncDisposable {
  /** Its origin: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** What was asked so far. */
  readonly requests: readonly ReceivedRequest[];
}

/** A model provider's server on 127.0.0.1 that gives its replies in order, and the last one for ever. */
export async function fakeProvider(...replies: readonly Reply[]): Promise<FakeProvider> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const answer = replies[Math.min(requests.length, replies.length - 1)];
      requests.push({
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(body || "{}") as Record<string, unknown>,
        closed,
      });
      answer?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
