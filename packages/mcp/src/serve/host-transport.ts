import type { Readable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { messageOf } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { LineReader, MAX_LINE } from "../line-reader.ts";

/** How a host is spoken to. */
export interface HostStreams {
  input: Readable;
  /** Writes to the host; `done` is called when the text has left the process, or can't any more. */
  write: (text: string, done: () => void) => unknown;
}

/** Calls that are open at once; further ones wait in their order. */
const MAX_OPEN = 64;
/** Characters on their way to the host: with more, nothing new is begun. */
const MAX_UNREAD = 256 * 1024;

/**
 * The host's end of stdio, one message a line. What is no message is answered with a JSON-RPC error, and the next
 * line is read. While the host does not read, its input is not read either: no call begins, progress is dropped.
 */
export class HostTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #streams: HostStreams;
  readonly #open = new Set<RequestId>();
  #waiting: JSONRPCRequest[] = [];
  #unread = 0;
  #closed = false;
  #written = (): void => {};
  readonly #lines: LineReader = new LineReader((line) => this.#receive(line));
  readonly #onData = (chunk: Buffer): void => {
    if (this.#lines.push(chunk)) return;
    this.#refuse(null, ErrorCode.InvalidRequest, `a message has more than ${MAX_LINE / 1024 / 1024} MB`);
    void this.close();
  };
  readonly #onEnd = (): void => void this.close();

  constructor(streams: HostStreams) {
    this.#streams = streams;
  }

  async start(): Promise<void> {
    this.#streams.input.on("data", this.#onData).once("end", this.#onEnd).once("close", this.#onEnd);
    this.#streams.input.once("error", this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    if (this.#isFull && isJSONRPCNotification(message) && message.method === "notifications/progress") return;
    this.#write(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined) this.#open.delete(message.id);
      this.#admit();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting = [];
    this.#streams.input.off("data", this.#onData).pause();
    this.onclose?.();
  }

  /** Resolves when all that was sent has left the process. */
  flushed(): Promise<void> {
    if (this.#unread === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#written = resolve));
  }

  get #isFull(): boolean {
    return this.#unread > MAX_UNREAD;
  }

  #write(message: object): void {
    const line = `${JSON.stringify(message)}\n`;
    this.#unread += line.length;
    this.#streams.write(line, () => {
      this.#unread -= line.length;
      if (this.#unread === 0) this.#written();
      if (this.#closed || this.#isFull) return;
      this.#streams.input.resume();
      this.#admit();
    });
    if (this.#isFull) this.#streams.input.pause();
  }

  #receive(line: string): void {
    if (this.#closed) return;
    let given: unknown;
    try {
      given = JSON.parse(line);
    } catch (error) {
      this.#refuse(null, ErrorCode.ParseError, `the line is not JSON: ${messageOf(error)}`);
      return;
    }
    // Batches are of the protocol's version 2025-03-26.
    const all: readonly unknown[] = Array.isArray(given) && given.length > 0 ? given : [given];
    for (const one of all) {
      const message = JSONRPCMessageSchema.safeParse(one);
      if (message.success) this.#take(message.data);
      else this.#refuseInvalid(one);
    }
  }

  #take(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method === "tools/call") {
      this.#waiting.push(message);
      this.#admit();
      return;
    }
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const id = message.params?.["requestId"] as RequestId | undefined;
      this.#waiting = this.#waiting.filter((one) => one.id !== id);
      // A cancelled call is never answered.
      if (id !== undefined) this.#open.delete(id);
    }
    this.onmessage?.(message);
    this.#admit();
  }

  #admit(): void {
    while (!this.#closed && !this.#isFull && this.#open.size < MAX_OPEN) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#open.add(next.id);
      this.onmessage?.(next);
    }
  }

  /** A wrong answer is not answered. */
  #refuseInvalid(given: unknown): void {
    const { id, method, result, error } = isRecord(given) ? given : {};
    if (method === undefined && (result !== undefined || error !== undefined)) {
      this.onerror?.(new Error("the host's answer is not by the protocol"));
      return;
    }
    const known = typeof id === "string" || Number.isInteger(id) ? (id as RequestId) : null;
    this.#refuse(
      known,
      ErrorCode.InvalidRequest,
      "the line is no request, notification or answer of JSON-RPC 2.0",
    );
  }

  #refuse(id: RequestId | null, code: ErrorCode, message: string): void {
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }
}
