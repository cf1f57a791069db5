import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface FailingServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: readonly unknown[];
}

/** A server on 127.0.0.1 that answers its requests in this way, given their number from 0. */
export async function failingServer(
  answer: (response: ServerResponse, count: number) => void,
): Promise<FailingServer> {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      requests.push(body);
      answer(response, requests.length - 1);
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
