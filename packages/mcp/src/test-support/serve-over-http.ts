import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import type { ToolServer } from "../serve/tool-server.ts";

export interface HttpBridge extends AsyncDisposable {
  url: string;
}

/** Offers a tool server to each host that comes over Streamable HTTP, for programs that speak nothing else. */
export async function serveOverHttp(open: () => ToolServer): Promise<HttpBridge> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const servers: ToolServer[] = [];
  const http = createServer((request, response) => {
    void (async () => {
      const body: unknown = request.method === "POST" ? await json(request) : undefined;
      const transport =
        sessions.get(sessionOf(request)) ?? (isInitializeRequest(body) ? await begin() : undefined);
      if (transport === undefined) response.writeHead(404).end();
      else await transport.handleRequest(request, response, body);
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      enableDnsRebindingProtection: true,
      allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
      allowedOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
    });
    const server = open();
    servers.push(server);
    await server.connect(transport);
    return transport;
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server.close()));
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const sessionOf = ({ headers }: IncomingMessage): string => String(headers["mcp-session-id"]);
