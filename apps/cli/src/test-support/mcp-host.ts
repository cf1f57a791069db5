import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  ElicitRequestSchema,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { BIN, type Started, startToycoder } from "./run-toycoder.ts";

export interface Host extends AsyncDisposable {
  client: Client;
  call: (name: string, args?: Record<string, unknown>) => Promise<CallToolResult>;
  /** Resolves when the server has written this to stderr. */
  says: (text: string) => Promise<void>;
}

/** The SDK's client before `toycoder mcp serve`, as a host starts it. */
export async function openHost(
  flags: readonly string[],
  cwd: string,
  elicit?: (form: ElicitRequestFormParams) => ElicitResult,
): Promise<Host> {
  const capabilities = elicit === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "host", version: "1.0.0" }, { capabilities });
  if (elicit !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicit(params as ElicitRequestFormParams));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", "serve", ...flags],
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, TOYCODER_STATE_DIR: `${cwd}/.state` },
    stderr: "pipe",
  });
  let said = "";
  const listeners = new Set<() => void>();
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    for (const listener of listeners) listener();
  });
  await client.connect(transport);
  return {
    client,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as CallToolResult,
    says: (text) =>
      new Promise((resolve) => {
        const listener = (): void => {
          if (!said.includes(text)) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
        listener();
      }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export const resultText = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("");

export interface RawHost extends Started {
  /** What has come, in its order. */
  messages: readonly Message[];
  send: (...lines: readonly (string | object)[]) => void;
  /** Resolves to the message that this is true of, as soon as it has come. */
  message: (wanted: (message: Message) => boolean) => Promise<Message>;
}

export interface Message {
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** `toycoder mcp serve` with a host that says what it is told to, line by line. */
export function startHost(flags: readonly string[], cwd: string): RawHost {
  const started = startToycoder(["mcp", "serve", ...flags], { cwd });
  const { stdin, stdout } = started.child;
  let text = "";
  const messages: Message[] = [];
  const watchers = new Set<() => void>();
  stdout?.on("data", (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split("\n");
    text = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line) as Message));
    for (const watch of watchers) watch();
  });
  return {
    ...started,
    messages,
    send: (...lines) => {
      for (const line of lines) stdin?.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    },
    message: (wanted) =>
      new Promise((resolve) => {
        const watch = (): void => {
          const found = messages.find(wanted);
          if (found === undefined) return;
          watchers.delete(watch);
          resolve(found);
        };
        watchers.add(watch);
        watch();
      }),
  };
}

export const initialize = (protocolVersion = "2025-11-25"): object => ({
  jsonrpc: "2.0",
  id: "i",
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

export const callOf = (id: number, name: string, args: object = {}): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: { progressToken: id } },
});
