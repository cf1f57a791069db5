import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "@toycoder/core/wire";
import { endWithUs } from "./end-with-us.ts";
import { LineReader, MAX_LINE } from "./line-reader.ts";
import { endFamily, type ProcessFamily, SERVER_VARIABLE } from "./process-family.ts";

export interface StdioOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Gets what the server writes to stderr, and what it writes to stdout that is no message. */
  onText: (stream: "stderr" | "stdout", text: string) => void;
}

/** After the end of stdin, and after TERM: how long a server may take to go. */
const STDIN_MS = 800;
const TERM_MS = 700;
/** After the process has gone: how long its last output may take. */
const DRAIN_MS = 200;
const TAIL = 2000;

/**
 * A server as a child process in a group of its own, one message a line. Whatever ends it, `onclose` is called at
 * once, and of its process group and its other descendants nothing is left soon after.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioOptions;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #family: ProcessFamily | undefined;
  #release: () => void = () => {};
  /** The process has gone; its pipes are closed, too. */
  #exited: Promise<void> = Promise.resolve();
  #closed: Promise<void> = Promise.resolve();
  #ending: string | undefined;
  #closing: Promise<void> | undefined;
  #tail = "";

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** How it ended, in words, with the last that it wrote to stderr; undefined while it runs. */
  get ending(): string | undefined {
    if (this.#ending === undefined) return undefined;
    const words = this.#tail.trim();
    return words === "" ? this.#ending : `${this.#ending}; its last words: ${words.slice(-500)}`;
  }

  /** Rejects where the command cannot be started. */
  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#options;
    const mark = randomUUID();
    const outer = env[SERVER_VARIABLE];
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env, [SERVER_VARIABLE]: outer === undefined ? mark : `${outer}:${mark}` },
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    this.#child = child;
    const gone = Promise.withResolvers<void>();
    this.#exited = gone.promise;
    this.#closed = new Promise((resolve) => void child.once("close", resolve));
    child.once("exit", (code, signal) => {
      gone.resolve();
      void this.#drained().then(() => this.#end(signal === null ? `exit code ${code}` : `signal ${signal}`));
    });
    // Its end is told by "exit".
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on("error", () => {});
    const lines = new LineReader((line) => this.#receive(line));
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#ending === undefined && !lines.push(chunk))
        void this.#end(`a message over ${MAX_LINE / 1024 / 1024} MB`);
    });
    child.stdout.once("end", () => void this.#orExit().then(() => this.#end("the end of its output")));
    child.stderr.on("data", (chunk: Buffer) => {
      const text = chunk.toString();
      this.#tail = (this.#tail + text).slice(-TAIL);
      this.#options.onText("stderr", text);
    });
    if (child.pid !== undefined) {
      this.#family = { leader: child.pid, mark };
      this.#release = endWithUs(this.#family);
    }
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      // Later ones, of a signal that could not be sent, are no news.
      child.on("error", (error) => {
        if (child.pid === undefined) gone.resolve();
        reject(error);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#ending !== undefined || !stdin.writable)
      throw new Error("the server has ended");
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stdin.off("drain", done).off("close", done);
        resolve();
      };
      stdin.on("drain", done).on("close", done);
    });
  }

  /** Ends stdin, then TERM, then KILL. Resolves when nothing is left of it, in less than two seconds. */
  close(): Promise<void> {
    return this.#end("it was stopped");
  }

  #end(how: string): Promise<void> {
    this.#closing ??= this.#stop(how);
    return this.#closing;
  }

  async #stop(how: string): Promise<void> {
    this.#ending = how;
    this.onclose?.();
    const child = this.#child;
    child?.stdin.end();
    await Promise.race([this.#exited, delay(STDIN_MS, undefined, { ref: false })]);
    if (this.#family !== undefined) await endFamily(this.#family, TERM_MS);
    this.#release();
    child?.stdout.destroy();
    child?.stderr.destroy();
  }

  /** Resolves when its output has been read, or when a descendant keeps it open. */
  #drained(): Promise<void> {
    return Promise.race([this.#closed, delay(DRAIN_MS, undefined, { ref: false })]);
  }

  /** A process that exits closes its output first: its exit says more. */
  #orExit(): Promise<unknown> {
    return Promise.race([
      this.#exited.then(() => this.#drained()),
      delay(DRAIN_MS, undefined, { ref: false }),
    ]);
  }

  #receive(line: string): void {
    if (this.#ending !== undefined) return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#options.onText("stdout", `${line.slice(0, 1000)}\n`);
      return;
    }
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (isRecord(one) && one.jsonrpc === "2.0") this.onmessage?.(readable(one));
      else this.#options.onText("stdout", `${JSON.stringify(one)?.slice(0, 1000)}\n`);
    }
  }
}

/** The SDK drops an answer that is not by the protocol; whoever waits for it is told instead. */
function readable(message: Record<string, unknown>): JSONRPCMessage {
  const { id, method, result, error } = message;
  const isAnswer = id !== undefined && method === undefined;
  if (!isAnswer || isRecord(result) || (isRecord(error) && typeof error.message === "string"))
    return message as JSONRPCMessage;
  const text = "the server's answer is not by the protocol";
  return { jsonrpc: "2.0", id: id as string, error: { code: -32_600, message: text } };
}
