import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ProxyServer extends AsyncDisposable {
  /** With the user and password that it wants. */
  readonly url: string;
  readonly port: number;
  /** What was asked of it: `CONNECT host:port`. */
  readonly asked: string[];
}

/**
 * A proxy on 127.0.0.1 for CONNECT. Every host but an address of this machine leads to 127.0.0.1, so that a tunnel
 * to `model.test` proves that the proxy was asked. It wants `me:pass-word-42`, or answers `refuse`.
 */
export async function proxyServer({ refuse }: { refuse?: number } = {}): Promise<ProxyServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = `Basic ${Buffer.from("me:pass-word-42").toString("base64")}`;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(501).end();
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request, client: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    client.on("error", () => undefined);
    const status = refuse ?? (request.headers["proxy-authorization"] === wanted ? 200 : 407);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host = "", port] = String(request.url).split(":");
    const target = connect(Number(port), host.startsWith("127.") ? host : "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    target.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://me:pass-word-42@127.0.0.1:${port}`,
    port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
