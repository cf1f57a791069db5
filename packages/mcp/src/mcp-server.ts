import { messageOf, type ToolContext, ToolError } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { z } from "zod";
import { CallTimer } from "./call-timer.ts";
import { BROKEN_OFF, type Connection, type ConnectionEvents, type McpHost } from "./connection.ts";
import { elicit } from "./elicit.ts";
import { failureWords, type FailureWords } from "./failure-words.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { McpServerConfig } from "./server-config.ts";
import type { ServerFacts } from "./server-facts.ts";

export interface ServerEvents {
  text: ConnectionEvents["text"];
  /** Its tools or resources are others than before. */
  changed: () => void;
}

type Result = Record<string, unknown>;

/** What each kind of result holds is looked at where it is decoded; the SDK's schema would copy it before. */
const ANY_RESULT = z.unknown();

/** The timers of Node take no more; the limit is the call's own. */
const NO_LIMIT = 2_147_483_647;

/** One server, as a place to send calls to: it is there, or started anew for them. */
export class McpServer {
  readonly name: string;
  readonly config: McpServerConfig;
  failure: FailureWords | undefined;
  readonly #life: Lifecycle;
  readonly #callers = new Set<{ ctx: ToolContext; timer: CallTimer }>();

  constructor(name: string, config: McpServerConfig, host: McpHost, events: ServerEvents) {
    this.name = name;
    this.config = config;
    this.#life = new Lifecycle(config, host, { ...events, elicit: (params) => this.#elicit(params) });
  }

  get facts(): ServerFacts | undefined {
    return this.#life.facts;
  }

  get startMs(): number {
    return this.#life.startMs;
  }

  /** Resolves when its tools are known, or when it is clear that they won't be: then `failure` says why. */
  async start(): Promise<void> {
    try {
      await this.#life.connected();
    } catch (error) {
      this.failure = failureWords(error, this.config);
    }
  }

  close(): Promise<void> {
    return this.#life.close();
  }

  /** Calls a tool. Rejects with a ToolError for whatever is not a result. */
  async callTool(name: string, args: unknown, ctx: ToolContext): Promise<Result> {
    const result = await this.request("tools/call", { name, arguments: args }, ctx);
    // What the tool has changed in the list is known before the model goes on.
    const { refreshed } = this.#life;
    if (refreshed !== undefined) await refreshed;
    return result;
  }

  /** Any request, within the time limit of calls. Rejects with a ToolError. */
  async request(method: string, params: Result, ctx: ToolContext): Promise<Result> {
    const { callSeconds = 60, maxCallSeconds = 1800 } = this.config;
    const connection = this.#life.current ?? (await this.#connected());
    const timer = new CallTimer(callSeconds * 1000, Math.max(callSeconds, maxCallSeconds) * 1000, ctx.signal);
    const caller = { ctx, timer };
    this.#callers.add(caller);
    try {
      return await this.#send(connection, { method, params }, caller);
    } catch (error) {
      if (ctx.signal.aborted) throw ctx.signal.reason;
      throw timer.isUp ? this.#late() : this.#failed(error, connection);
    } finally {
      timer.clear();
      this.#callers.delete(caller);
    }
  }

  async #send(
    connection: Connection,
    request: { method: string; params: Result },
    { ctx, timer }: { ctx: ToolContext; timer: CallTimer },
  ): Promise<Result> {
    const options = {
      signal: timer.signal,
      timeout: NO_LIMIT,
      onprogress: ({ progress, total, message = "" }: Progress): void => {
        timer.renew();
        const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
        ctx.progress(message === "" ? count : `${message}: ${count}`);
      },
    };
    try {
      return (await connection.client.request(request, ANY_RESULT, options)) as Result;
    } catch (error) {
      if (!isLostSession(error, connection)) throw error;
      // The server knows nothing of the session, so it has not begun with the call.
      await this.#life.forget(connection);
      const { client } = await this.#life.connected();
      return (await client.request(request, ANY_RESULT, options)) as Result;
    }
  }

  async #connected(): Promise<Connection> {
    try {
      return await this.#life.connected();
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  /** The person is asked through the newest call that still waits. */
  async #elicit(params: unknown): ReturnType<typeof elicit> {
    const caller = [...this.#callers].at(-1);
    if (caller === undefined) return await elicit(this.name, params, undefined);
    const { ctx, timer } = caller;
    return await timer.hold(elicit(this.name, params, (question, options) => ctx.ask(question, options)));
  }

  #unavailable(error: unknown): ToolError {
    const { message, hint } = failureWords(error, this.config);
    return new ToolError("server_unavailable", `the MCP server ${this.name} cannot be used: ${message}`, {
      ...(hint !== undefined && { hint }),
    });
  }

  #late(): ToolError {
    const { callSeconds = 60, maxCallSeconds = 1800 } = this.config;
    return new ToolError("timeout", `the MCP server ${this.name} did not answer in time`, {
      hint: `it has ${callSeconds} s without a sign of progress, and ${maxCallSeconds} s in the whole; it was told to stop`,
    });
  }

  #failed(error: unknown, connection: Connection): ToolError {
    const how = connection.ending();
    if (how !== undefined) {
      return new ToolError("server_ended", `the MCP server ${this.name} ended before it answered (${how})`, {
        hint: `${UNCERTAIN}. The next call starts the server anew`,
      });
    }
    const { message, hint = isUncertain(error) ? UNCERTAIN : undefined } = failureWords(error, this.config);
    return new ToolError("tool_failed", message, { ...(hint !== undefined && { hint }) });
  }
}

const UNCERTAIN = "whether the call had its effect is not known: look before you repeat it";

/** A connection that broke, or a server behind a gateway, may have done what it was asked for. */
function isUncertain(error: unknown): boolean {
  if (error instanceof TypeError || messageOf(error).includes(BROKEN_OFF)) return true;
  return isRecord(error) && typeof error.code === "number" && error.code >= 500;
}

interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** A server that does not know the session answers with 404. */
const isLostSession = (error: unknown, { kind }: Connection): boolean =>
  kind === "http" && isRecord(error) && error.code === 404;
