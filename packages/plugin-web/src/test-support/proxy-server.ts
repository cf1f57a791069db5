import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";

export interface ProxyServer extends AsyncDisposable {
  readonly url: string;
  /** `host:port` of each CONNECT. */
  readonly tunnels: string[];
}

/** A proxy that leads every name to 127.0.0.1, or refuses with `status`. */
export async function proxyServer(status = 200): Promise<ProxyServer> {
  const tunnels: string[] = [];
  const server = createServer();
  server.on("connect", (request, client) => {
    tunnels.push(request.url ?? "");
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const port = Number((request.url ?? "").split(":")[1]);
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [upstream, client]) socket.on("error", () => {});
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
