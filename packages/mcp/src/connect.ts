import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { pathToFileURL } from "node:url";
import type { Connection, ConnectionEvents, McpHost, TransportKind } from "./connection.ts";
import { serverEnvironment } from "./server-environment.ts";
import type { McpServerConfig } from "./server-config.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** What a server is reached through; `type` decides only where both are there. */
export const isLocal = ({ type, command, url }: McpServerConfig): boolean =>
  type === undefined ? command !== undefined && url === undefined : type === "stdio";

/**
 * Opens a connection. Rejects with what went wrong, or with the signal's reason, and leaves nothing behind: a
 * process that was started is gone by then.
 */
export async function connect(
  config: McpServerConfig,
  host: McpHost,
  events: ConnectionEvents,
  signal: AbortSignal,
): Promise<Connection> {
  if (isLocal(config)) {
    const { workspace, env } = host;
    // What VS Code and Cursor put in for it.
    const here = (value: string): string => value.replaceAll("${workspaceFolder}", () => workspace.root);
    const transport = new StdioTransport({
      command: here(config.command ?? ""),
      args: (config.args ?? []).map(here),
      env: serverEnvironment(env, config.env),
      cwd: workspace.resolve(here(config.cwd ?? ".")).absolute,
      onText: events.text,
    });
    return await open("stdio", transport, () => transport.ending, host, events, signal);
  }
  if (config.type !== "sse") {
    try {
      // Loaded only where it is needed, as all that belongs to HTTP.
      const { openHttp } = await import("./http-transport.ts");
      const { transport, close } = await openHttp(config, events);
      return await open("http", transport, () => undefined, host, events, signal, close);
    } catch (error) {
      if (signal.aborted || !isOlderServer(error)) throw error;
      try {
        return await connectSse(config, host, events, signal);
      } catch {
        throw error;
      }
    }
  }
  return await connectSse(config, host, events, signal);
}

async function connectSse(
  config: McpServerConfig,
  host: McpHost,
  events: ConnectionEvents,
  signal: AbortSignal,
): Promise<Connection> {
  const { openSse } = await import("./http-transport.ts");
  const { transport, ending } = await openSse(config, events);
  return await open("sse", transport, ending, host, events, signal);
}

/** A server of the first HTTP transport answers a POST to its stream with a 4xx. */
function isOlderServer(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "number" && code >= 400 && code < 500 && ![401, 403, 429].includes(code);
}

async function open(
  kind: TransportKind,
  transport: Transport,
  ending: () => string | undefined,
  host: McpHost,
  events: ConnectionEvents,
  signal: AbortSignal,
  close: () => Promise<void> = () => transport.close(),
): Promise<Connection> {
  signal.throwIfAborted();
  const client = createClient(host, events);
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const connecting = client.connect(transport, { timeout: 2_147_483_647 });
    connecting.catch(() => {});
    await Promise.race([connecting, aborted.promise]);
  } catch (error) {
    const how = ending();
    await close();
    if (how !== undefined && !signal.aborted)
      throw new Error(`it ended before it was ready: ${how}`, { cause: error });
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  Object.assign(client, { onclose: () => events.closed() });
  return { client, kind, ending, close };
}

function createClient({ workspace, client: info }: McpHost, events: ConnectionEvents): Client {
  const client = new Client(info, { capabilities: { roots: {}, elicitation: {} } });
  Object.assign(client, {
    onerror: (error: Error) => events.text("log", `${error.message.slice(0, 1000)}\n`),
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: workspace.roots.map((root) => ({
      uri: pathToFileURL(root).href,
      name: root.split(/[\\/]/).at(-1) ?? root,
    })),
  }));
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => await events.elicit(params));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, logger, data } }) => {
    const from = logger === undefined ? level : `${level} ${logger}`;
    events.text("log", `${from}: ${typeof data === "string" ? data : JSON.stringify(data)}\n`);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.listChanged("tools"));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => events.listChanged("resources"));
  return client;
}
