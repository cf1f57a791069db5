import { setTimeout as delay } from "node:timers/promises";
import { SseError, SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { environmentFetch } from "@toycoder/core/wire";
import { BROKEN_OFF, type ConnectionEvents } from "./connection.ts";
import { createHttpFetch } from "./http-fetch.ts";
import type { McpServerConfig } from "./server-config.ts";

const GOODBYE_MS = 500;

const proxiedFetch = (): Promise<typeof fetch> => environmentFetch(() => import("undici"));

/** Streamable HTTP. `close` ends the session at the server, too, where that is quick. */
export async function openHttp(
  config: McpServerConfig,
  events: ConnectionEvents,
): Promise<{ transport: Transport; close: () => Promise<void> }> {
  const fetch = await proxiedFetch();
  const transport: StreamableHTTPClientTransport = new StreamableHTTPClientTransport(urlOf(config), {
    requestInit: { headers: headersOf(config) },
    fetch: createHttpFetch({
      fetch,
      mayRepeat: events.mayRepeat,
      onBroken: (id) => transport.onmessage?.(brokenOff(id)),
    }),
  });
  const close = async (): Promise<void> => {
    await Promise.race([
      transport.terminateSession().catch(() => {}),
      delay(GOODBYE_MS, undefined, { ref: false }),
    ]);
    await transport.close();
  };
  return { transport, close };
}

/** The first HTTP transport: one stream for all answers. When that breaks, the connection is over. */
export async function openSse(
  config: McpServerConfig,
  events: ConnectionEvents,
): Promise<{ transport: Transport; ending: () => string | undefined }> {
  const fetch = await proxiedFetch();
  const headers = headersOf(config);
  let ending: string | undefined;
  const transport = new SSEClientTransport(urlOf(config), {
    requestInit: { headers },
    fetch: createHttpFetch({ fetch, mayRepeat: events.mayRepeat, onBroken: () => {} }),
  });
  let opened = false;
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    opened = true;
  };
  const onerror = (error: Error): void => {
    if (!opened || ending !== undefined || !(error instanceof SseError)) return;
    ending = "its stream of answers broke";
    void transport.close();
  };
  return { transport: Object.assign(transport, { onerror }), ending: () => ending };
}

/** The code of JSON-RPC for what a server defines itself. */
const BROKEN_CODE = -32_000;

const brokenOff = (
  id: string | number,
): { jsonrpc: "2.0"; id: string | number; error: { code: number; message: string } } => ({
  jsonrpc: "2.0",
  id,
  error: { code: BROKEN_CODE, message: BROKEN_OFF },
});

const urlOf = ({ url = "" }: McpServerConfig): URL => new URL(url);

const headersOf = ({ headers, bearerToken }: McpServerConfig): Record<string, string> => ({
  ...(bearerToken !== undefined && { Authorization: `Bearer ${bearerToken}` }),
  ...headers,
});
