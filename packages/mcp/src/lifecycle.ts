import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { connect } from "./connect.ts";
import type { Connection, ConnectionEvents, McpHost } from "./connection.ts";
import type { McpServerConfig } from "./server-config.ts";
import { readFacts, type ServerFacts } from "./server-facts.ts";

export interface LifecycleEvents extends Pick<ConnectionEvents, "text" | "elicit"> {
  /** `facts` are others than before. */
  changed: () => void;
}

/** How often a server that has ended is started anew in one run. */
const MAX_RESTARTS = 5;
const MAX_REFRESHES = 200;
/** How long it is waited for lists that a server has just said to be others. */
const REFRESH_MS = 5000;

/** A server's connection: made once, and anew after its end, a bounded number of times. */
export class Lifecycle {
  /** What the server has; of the last connection, once that was ready. */
  facts: ServerFacts | undefined;
  /** Milliseconds until its lists were known, the last time that it was started. */
  startMs = 0;
  readonly #config: McpServerConfig;
  readonly #host: McpHost;
  readonly #events: LifecycleEvents;
  readonly #stop = new AbortController();
  /** Those that may not be gone yet. */
  readonly #ended = new Set<Connection>();
  #starts = 0;
  #connecting: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  #ready: Connection | undefined;
  #refreshing: Promise<void> | undefined;
  #isStale = false;
  #refreshes = 0;

  constructor(config: McpServerConfig, host: McpHost, events: LifecycleEvents) {
    this.#config = config;
    this.#host = host;
    this.#events = events;
  }

  /** The living connection, where there is one whose lists are known. */
  get current(): Connection | undefined {
    return this.#ready;
  }

  /** The living connection, or a new one. Rejects with why there is none. */
  connected(): Promise<Connection> {
    if (this.#connecting === undefined) {
      const connecting = this.#connect();
      this.#connecting = connecting;
      connecting.catch(() => {
        if (this.#connecting === connecting) this.#connecting = undefined;
      });
    }
    return this.#connecting;
  }

  /** Gives a connection up: the next call makes another. */
  async forget(connection: Connection): Promise<void> {
    this.#drop(connection);
    await connection.close();
  }

  /** Resolves when lists that have changed are known, or when that takes long; undefined where none have. */
  get refreshed(): Promise<void> | undefined {
    return this.#refreshing && Promise.race([this.#refreshing, delay(REFRESH_MS, undefined, { ref: false })]);
  }

  /** Stops the server for good. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("it was stopped"));
    await this.#connecting?.catch(() => {});
    await Promise.all([this.#connection?.close(), ...[...this.#ended].map((one) => one.close())]);
  }

  async #connect(): Promise<Connection> {
    const { startSeconds = 30 } = this.#config;
    this.#stop.signal.throwIfAborted();
    if (this.#starts > MAX_RESTARTS)
      throw new Error(`it has been started anew ${MAX_RESTARTS} times already`);
    this.#starts++;
    // What is left of one before holds its files and ports.
    await Promise.all([...this.#ended].map((one) => one.close()));
    this.#ended.clear();
    this.#stop.signal.throwIfAborted();
    // Of this start alone: the SDK keeps listening to the signals of requests that have ended.
    const starting = new AbortController();
    const late = new Error(`it was not ready within ${startSeconds} s`);
    const timer = setTimeout(() => starting.abort(late), startSeconds * 1000);
    const stop = (): void => starting.abort(this.#stop.signal.reason);
    this.#stop.signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.#open(starting.signal);
    } finally {
      clearTimeout(timer);
      this.#stop.signal.removeEventListener("abort", stop);
    }
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    const began = performance.now();
    const opened: { connection?: Connection } = {};
    const whenOpen = (act: (connection: Connection) => void) => () => {
      if (opened.connection !== undefined) act(opened.connection);
    };
    const { text, elicit } = this.#events;
    const connection: Connection = await connect(
      this.#config,
      this.#host,
      {
        text,
        elicit,
        closed: whenOpen((one) => this.#drop(one)),
        listChanged: whenOpen((one) => this.#refresh(one)),
        mayRepeat: (message) => this.#mayRepeat(message),
      },
      signal,
    );
    opened.connection = connection;
    this.#connection = connection;
    try {
      await this.#learn(connection, signal);
    } catch (error) {
      const how = connection.ending();
      await this.forget(connection);
      signal.throwIfAborted();
      throw how === undefined ? error : new Error(`it ended before it was ready: ${how}`, { cause: error });
    }
    this.startMs = Math.round(performance.now() - began);
    if (this.#connection === connection) this.#ready = connection;
    return connection;
  }

  #drop(connection: Connection): void {
    this.#ended.add(connection);
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#ready = undefined;
    this.#connecting = undefined;
  }

  #refresh(connection: Connection): void {
    this.#isStale = true;
    this.#refreshing ??= this.#learnAnew(connection).finally(() => (this.#refreshing = undefined));
  }

  /** A server that says at each look that its lists have changed is not believed for ever. */
  async #learnAnew(connection: Connection): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      if (++this.#refreshes > MAX_REFRESHES) return;
      try {
        await this.#learn(connection, new AbortController().signal);
      } catch (error) {
        this.#events.text("log", `its lists could not be read anew: ${messageOf(error)}\n`);
      }
    }
  }

  async #learn(connection: Connection, signal: AbortSignal): Promise<void> {
    this.facts = await readFacts(connection, this.#config, signal);
    this.#events.changed();
  }

  /** Everything but calls, and calls of tools that a trusted server says may be repeated. */
  #mayRepeat(message: unknown): boolean {
    if (!isRecord(message) || message.method !== "tools/call") return true;
    if (this.#config.trustAnnotations !== true || !isRecord(message.params)) return false;
    const { name } = message.params;
    const annotations = this.facts?.tools.find((tool) => tool.name === name)?.annotations;
    return annotations?.["readOnlyHint"] === true || annotations?.["idempotentHint"] === true;
  }
}
