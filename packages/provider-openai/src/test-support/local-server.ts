import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

/** A certificate that nobody has signed, for model.test and this machine. */
export const CERTIFICATE: string = fixture("tls-cert.pem");

export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  readonly server: Server;
  /** The URLs that were asked for, in order. */
  readonly asked: string[];
}

/** A server on this machine, with TLS where wanted. */
export async function localServer(
  listener: RequestListener,
  { tls = false, host = "127.0.0.1" }: { tls?: boolean; host?: string } = {},
): Promise<LocalServer> {
  const asked: string[] = [];
  const note: RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    listener(request, response);
  };
  const server = tls
    ? createTlsServer({ cert: readFileSync(CERTIFICATE), key: readFileSync(fixture("tls-key.pem")) }, note)
    : createServer(note);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ANSWER = { choices: [{ index: 0, message: { content: "ok" }, finish_reason: "stop" }] };

/** Chat Completions below /v1, "ok" to everything, and 404 as Ollama says it to every other path. */
export const chatApi: RequestListener = (request, response) => {
  request.resume();
  if (request.url === "/v1/chat/completions")
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ANSWER));
  else response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found");
};
