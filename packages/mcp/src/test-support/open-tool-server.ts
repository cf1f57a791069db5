import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  createPolicy,
  createSession,
  createWorkspace,
  type PolicyOptions,
  type SessionOptions,
  type Tool,
  ToolRegistry,
} from "@toycoder/core";
import { ToolServer, type ToolServerOptions } from "../serve/tool-server.ts";

export interface HostSetUp {
  root: string;
  policy?: Omit<PolicyOptions, "root">;
  session?: Partial<SessionOptions>;
  server?: Partial<ToolServerOptions>;
  /** How the person answers; without it the host cannot ask. */
  elicit?: (form: ElicitRequestFormParams) => ElicitResult | Promise<ElicitResult>;
}

export interface OpenHost extends AsyncDisposable {
  client: Client;
  server: ToolServer;
  registry: ToolRegistry;
  call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
  names: () => Promise<string[]>;
  /** Resolves at the next `list_changed`. */
  listChanged: () => Promise<void>;
}

/** The SDK's client before a server of these tools, in one process. */
export async function openToolServer(tools: readonly Tool[], setUp: HostSetUp): Promise<OpenHost> {
  const { root, elicit } = setUp;
  const registry = new ToolRegistry();
  registry.registerMany(tools);
  const server = new ToolServer({
    info: { name: "tools", version: "1.2.3" },
    openSession: (ask) =>
      createSession({
        registry,
        policy: createPolicy({ root, ...setUp.policy }),
        workspace: createWorkspace({ root }),
        ask,
        ...setUp.session,
      }),
    ...setUp.server,
  });
  const client = new Client(
    { name: "host", version: "1.0.0" },
    { capabilities: elicit === undefined ? {} : { elicitation: {} } },
  );
  if (elicit !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params as ElicitRequestFormParams));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(ours);
  await client.connect(theirs);
  return {
    client,
    server,
    registry,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as CallToolResult,
    names: async () => (await client.listTools()).tools.map((tool) => tool.name),
    listChanged: () =>
      new Promise((resolve) =>
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
      ),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
      server.session.dispose();
    },
  };
}

/** The text of a result. */
export const textIn = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("");
