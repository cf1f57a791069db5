import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type RequestId,
  RequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool as ListedTool,
} from "@modelcontextprotocol/sdk/types.js";
import { type Ask, dispatch, type DispatchEvent, messageOf, type Session } from "@toycoder/core";
import { askHost } from "./ask-host.ts";
import { encodeResult } from "./encode-result.ts";
import { listedTool, outputSchema } from "./listed-tool.ts";

/** What a server offers. */
export interface ToolServerOptions {
  /** What the server calls itself. */
  info: { name: string; version: string };
  /** Opens the session that every call goes through. `ask` reaches the person, where the host can ask. */
  openSession: (ask: Ask) => Session;
  /** What the host's model is told of the tools in the whole. */
  instructions?: string;
  /** Names that tools are offered under instead of their own. */
  alias?: Readonly<Record<string, string>>;
  /** Whether the person is asked for approvals. Default true; without, the policy's `onAsk` answers. */
  approvals?: boolean;
  /** Hears of what the host cannot be told: a tool that cannot be listed, a message that is not understood. */
  onProblem?: (message: string) => void;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The server itself holds a call against the whole schema, and answers a wrong one as the protocol says. */
const CALL = CallToolRequestSchema.extend({ params: RequestSchema.shape.params });

/** A person may take as long as the call lives: this is the longest that a timer takes. */
const NO_LIMIT = 2_147_483_647;

/** The tools of a session for one MCP host: its enabled ones, each call through `dispatch`. */
export class ToolServer {
  readonly session: Session;
  /** Resolves when the host has gone, or `close` was called, and no call runs any more. */
  readonly closed: Promise<void>;
  readonly #options: ToolServerOptions;
  readonly #server: Server;
  readonly #own: ReadonlyMap<string, string>;
  /** The request that an answer of the session belongs to. */
  readonly #request = new AsyncLocalStorage<RequestId>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #reported = new Set<string>();
  #calls = 0;

  constructor(options: ToolServerOptions) {
    this.#options = options;
    const { info, instructions, alias = {}, approvals = true, onProblem } = options;
    this.#own = new Map(Object.entries(alias).map(([own, other]) => [other, own]));
    this.#server = new Server(info, {
      capabilities: { tools: { listChanged: true } },
      debouncedNotificationMethods: ["notifications/tools/list_changed"],
      ...(instructions !== undefined && { instructions }),
    });
    this.session = options.openSession(
      askHost({
        approvals,
        session: () => this.session,
        canAsk: () => this.#server.getClientCapabilities()?.elicitation?.form !== undefined,
        elicit: (form, signal) => {
          const id = this.#request.getStore();
          const related = id === undefined ? {} : { relatedRequestId: id };
          return this.#server.elicitInput(form, { signal, timeout: NO_LIMIT, ...related });
        },
      }),
    );
    this.#server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: this.#list() }));
    this.#server.setRequestHandler(CALL, (request, extra) =>
      this.#track(this.#call(request as CallToolRequest, extra)),
    );
    const announce = (): void => this.#announce();
    const leave = [this.session.registry.on("change", announce), this.session.on("change", announce)];
    const gone = Promise.withResolvers<void>();
    this.closed = gone.promise;
    Object.assign(this.#server, {
      onerror: (error: Error) => onProblem?.(error.message),
      onclose: () => {
        for (const off of leave) off();
        void Promise.allSettled(this.#running).then(() => gone.resolve());
      },
    });
  }

  /** Begins to talk with the host. */
  async connect(transport: Transport): Promise<void> {
    await this.#server.connect(transport);
  }

  /** Stops the calls that run, and resolves when each has ended. */
  async close(): Promise<void> {
    await this.#server.close();
    await Promise.allSettled(this.#running);
  }

  #list(): ListedTool[] {
    const { registry } = this.session;
    return this.session.tools().flatMap((tool) => {
      try {
        return [listedTool(tool, this.#options.alias?.[tool.name] ?? tool.name, registry.origin(tool.name))];
      } catch (error) {
        this.#report(`${tool.name} is not offered: ${messageOf(error)}`);
        return [];
      }
    });
  }

  async #call({ params }: CallToolRequest, extra: Extra): Promise<CallToolResult> {
    const { session } = this;
    const id = `mcp_${++this.#calls}`;
    const name = this.#own.get(params.name) ?? params.name;
    const tool = session.registry.get(name);
    const call = { id, name, arguments: params.arguments ?? {} };
    const observe = this.#progress(extra);
    const result = await this.#request.run(extra.requestId, () =>
      dispatch(call, session, { signal: extra.signal, ...(observe && { observe }) }),
    );
    return encodeResult(result, tool !== undefined && outputSchema(tool) !== undefined, session.mask);
  }

  /** Passes what tools say on their way on, where the host wants to hear it. */
  #progress({ _meta, sendNotification }: Extra): ((event: DispatchEvent) => void) | undefined {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return undefined;
    let progress = 0;
    return (event) => {
      if (event.type !== "progress") return;
      const params = { progressToken, progress: ++progress, message: event.message };
      sendNotification({ method: "notifications/progress", params }).catch(() => {});
    };
  }

  #announce(): void {
    // Before its first word a host has not seen a list.
    if (this.#server.getClientCapabilities() === undefined) return;
    this.#server.sendToolListChanged().catch(() => {});
  }

  #report(problem: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#options.onProblem?.(problem);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const forget = (): void => void this.#running.delete(work);
    work.then(forget, forget);
    return work;
  }
}
