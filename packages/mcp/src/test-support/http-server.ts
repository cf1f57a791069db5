import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { z } from "zod";

/** One request as the server got it. `message` is the JSON-RPC method, or the HTTP method where there is none. */
export interface Seen {
  message: string;
  headers: IncomingMessage["headers"];
  answer: (status: number, headers?: Record<string, string>, body?: string) => void;
  reset: () => void;
  response: ServerResponse;
}

export interface HttpServer extends AsyncDisposable {
  url: string;
  seen: Seen[];
  /** How often the tool has run. */
  runs: () => number;
  /** Forgets all sessions, as after a restart. */
  forget: () => void;
  /** Ends all streams of answers. */
  breakStreams: () => void;
}

/**
 * The SDK's own server with one tool, over Streamable HTTP or, with `kind: "sse"`, the transport before it. `fault`
 * gets each request first; where it answers, the server does not.
 */
export async function openHttpServer(
  options: { kind?: "http" | "sse"; fault?: (seen: Seen, count: number) => boolean | void } = {},
): Promise<HttpServer> {
  const { kind = "http", fault } = options;
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  const streams = new Set<ServerResponse>();
  const seen: Seen[] = [];
  let runs = 0;

  const serve = async (transport: Transport): Promise<void> => {
    const server = new McpServer({ name: "over-http", version: "2.0.0" });
    server.registerTool("add", { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => {
      runs++;
      return { content: [{ type: "text", text: String(a + b) }] };
    });
    server.registerTool("hang", { inputSchema: {} }, () => new Promise(() => {}));
    await server.connect(transport);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text === "" ? undefined : (JSON.parse(text) as { method?: string });
    const one: Seen = {
      message: body?.method ?? request.method ?? "",
      headers: request.headers,
      answer: (status, headers = {}, said = "") => void response.writeHead(status, headers).end(said),
      reset: () => request.socket.resetAndDestroy(),
      response,
    };
    seen.push(one);
    streams.add(response);
    response.once("close", () => streams.delete(response));
    if (fault?.(one, seen.filter(({ message }) => message === one.message).length) === true) return;
    const url = new URL(request.url ?? "/", "http://localhost");
    if (kind === "sse") {
      if (request.method === "GET") {
        const transport = new SSEServerTransport("/messages", response);
        sessions.set(transport.sessionId, transport);
        return await serve(transport);
      }
      const transport = sessions.get(url.searchParams.get("sessionId") ?? "");
      if (!(transport instanceof SSEServerTransport)) return one.answer(405);
      return await transport.handlePostMessage(request, response, body);
    }
    const id = request.headers["mcp-session-id"];
    let transport = typeof id === "string" ? sessions.get(id) : undefined;
    if (transport === undefined) {
      if (one.message !== "initialize") return one.answer(404, {}, "no such session");
      const fresh = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (name) => void sessions.set(name, fresh),
      });
      await serve(fresh);
      transport = fresh;
    }
    if (transport instanceof StreamableHTTPServerTransport)
      await transport.handleRequest(request, response, body);
  };

  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    runs: () => runs,
    forget: () => sessions.clear(),
    breakStreams: () => {
      for (const stream of streams) stream.socket?.resetAndDestroy();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
