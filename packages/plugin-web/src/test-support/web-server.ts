import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface WebServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, or what it listens on. */
  readonly url: string;
  /** Paths that were asked for, or for a TCP server one entry for each connection. */
  readonly seen: string[];
}

async function listen(server: Server, host: string, seen: string[], scheme: string): Promise<WebServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://${host}:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An HTTP server on `host`, with a handler for each path; others are 404. */
export function webServer(
  routes: Readonly<Record<string, RequestListener>>,
  host = "127.0.0.1",
): Promise<WebServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    seen.push(path);
    const answer = routes[path.replace(/\?.*$/s, "")];
    if (answer !== undefined) return answer(request, response);
    response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
  });
  return listen(server, host, seen, "http");
}

/** A TCP server that says what it likes once it was asked something. */
export function rawServer(talk: (socket: Socket) => void, host = "127.0.0.1"): Promise<WebServer> {
  const seen: string[] = [];
  const server = createTcpServer((socket) => {
    seen.push("connection");
    socket.once("data", () => talk(socket));
  });
  return listen(server, host, seen, "http");
}

/** A handler that sends a body of a type. */
export const sends =
  (
    type: string | undefined,
    body: string | Uint8Array,
    { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ): RequestListener =>
  (_, response) => {
    response
      .writeHead(status, { ...(type === undefined ? {} : { "content-type": type }), ...headers })
      .end(body);
  };

export const redirectsTo =
  (location: string, status = 302): RequestListener =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };
