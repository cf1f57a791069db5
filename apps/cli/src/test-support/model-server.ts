import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Answer } from "./answer.ts";
import { chatJson, chatSse } from "./wire-chat.ts";
import { messagesJson, messagesSse } from "./wire-messages.ts";
import { responsesJson, responsesSse } from "./wire-responses.ts";

export interface ModelServer extends AsyncDisposable {
  /** Its origin, for instance http://127.0.0.1:40123. */
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: readonly unknown[];
}

export interface ServerOptions {
  /** Answers with one JSON object, whatever the request says of streaming. */
  plainJson?: boolean;
  /** Answers every request with this status and an error body. */
  status?: number;
}

interface Wire {
  json: (answer: Answer, turn: number) => unknown;
  sse: (answer: Answer, turn: number) => string[];
}

const WIRES: Readonly<Record<string, Wire>> = {
  "/v1/chat/completions": { json: chatJson, sse: chatSse },
  "/v1/responses": { json: responsesJson, sse: responsesSse },
  "/v1/messages": { json: messagesJson, sse: messagesSse },
};

/**
 * A server on 127.0.0.1 that gives these answers in order, or those that it works out from the requests' bodies, in
 * whichever of the three protocols it is asked.
 */
export async function modelServer(
  answers: readonly Answer[] | ((request: unknown) => Answer),
  options: ServerOptions = {},
): Promise<ModelServer> {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    void reply(request, response).catch(() => response.destroy());
  });
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await json(request);
    requests.push(body);
    const turn = requests.length - 1;
    const wire = WIRES[request.url?.split("?")[0] ?? ""];
    const answer = typeof answers === "function" ? answers(body) : answers[turn];
    const { status } = options;
    if (answer?.failure !== undefined) {
      response.writeHead(answer.failure.status, { "content-type": "application/json" });
      response.end(JSON.stringify(answer.failure.body));
    } else if (wire === undefined || answer === undefined || status !== undefined) {
      const error = {
        type: "error",
        message: status === undefined ? `no answer for ${request.url}` : "not like that",
      };
      response.writeHead(status ?? 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error }));
    } else if (options.plainJson === true) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(wire.json(answer, turn)));
    } else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of wire.sse(answer, turn)) response.write(event);
      response.end();
    }
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
