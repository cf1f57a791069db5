import { PassThrough } from "node:stream";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { HostTransport } from "./host-transport.ts";

/** A transport whose host reads when told to. */
function open() {
  const input = new PassThrough();
  const sent: Record<string, unknown>[] = [];
  const unread: (() => void)[] = [];
  const taken: JSONRPCMessage[] = [];
  let reading = true;
  const transport = new HostTransport({
    input,
    write: (text, done) => {
      sent.push(JSON.parse(text) as Record<string, unknown>);
      if (reading) done();
      else unread.push(done);
    },
  });
  const hears = (handlers: Partial<HostTransport>): void => void Object.assign(transport, handlers);
  hears({ onmessage: (message) => void taken.push(message) });
  void transport.start();
  return {
    transport,
    hears,
    input,
    sent,
    taken,
    /** Gives the transport these lines, and waits until it has seen them. */
    lines: async (...lines: readonly (string | object)[]) => {
      input.write(
        lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
      );
      await new Promise((resolve) => setImmediate(resolve));
    },
    stopReading: () => void (reading = false),
    readOn: async () => {
      reading = true;
      for (const done of unread.splice(0)) done();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
const call = (id: RequestId) =>
  ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "x" } }) as const;
const answer = (id: RequestId, text = "") => ({ jsonrpc: "2.0", id, result: { text } }) as const;
const idsOf = (messages: readonly JSONRPCMessage[]) =>
  messages.map((one) => ("id" in one ? one.id : undefined));

describe("what comes in", () => {
  it.each([
    ["no JSON", "{", null, -32_700],
    ["a number", "7", null, -32_600],
    ["nothing in a list", "[]", null, -32_600],
    ["no method", '{"jsonrpc":"2.0","id":4}', 4, -32_600],
    ["a method that is no text", '{"jsonrpc":"2.0","id":"a","method":1}', "a", -32_600],
    ["another version", '{"jsonrpc":"1.0","id":5,"method":"ping"}', 5, -32_600],
    ["an id that can be none", '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32_600],
  ])("%s is answered with an error, and the next line is read", async (_, line, id, code) => {
    const { lines, sent, taken } = open();
    await lines(line, call(1));
    expect(sent).toEqual([{ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } }]);
    expect(idsOf(taken)).toEqual([1]);
  });

  it("a wrong answer is not answered", async () => {
    const { lines, sent, hears } = open();
    const errors: string[] = [];
    hears({ onerror: ({ message }) => void errors.push(message) });
    await lines('{"jsonrpc":"2.0","id":1,"result":5}');
    expect([sent, errors]).toEqual([[], [expect.stringContaining("not by the protocol")]]);
  });

  it("batches are taken apart, lines may come in any pieces, and with CR", async () => {
    const { lines, input, taken } = open();
    const text = `${JSON.stringify({ ...call(3), params: { name: "é" } })}\r\n`;
    for (const byte of Buffer.from(text)) input.write(Buffer.of(byte));
    await lines([call(1), call(2)]);
    expect(idsOf(taken)).toEqual([3, 1, 2]);
    expect(taken[0]).toHaveProperty("params.name", "é");
  });

  it("its end is the end", async () => {
    const { input, hears, taken } = open();
    const closed = new Promise<string>((resolve) => hears({ onclose: () => resolve("closed") }));
    input.end(`${JSON.stringify(call(1))}\n${JSON.stringify(call(2))}`);
    expect(await closed).toBe("closed");
    expect(idsOf(taken)).toEqual([1]);
  });
});

describe("a host that does not read", () => {
  const large = "x".repeat(300_000);

  it("is not read either: no call begins until it does", async () => {
    const host = open();
    host.stopReading();
    await host.lines(call(1));
    await host.transport.send(answer(1, large));
    await host.lines(call(2));
    expect(idsOf(host.taken)).toEqual([1]);
    expect(host.input.isPaused()).toBe(true);
    await host.readOn();
    expect(idsOf(host.taken)).toEqual([1, 2]);
  });

  it("also not those that have come in already", async () => {
    const host = open();
    host.stopReading();
    host.hears({
      onmessage: (message) => {
        host.taken.push(message);
        if ("id" in message && message.id !== undefined) void host.transport.send(answer(message.id, large));
      },
    });
    await host.lines(call(1), call(2), call(3));
    expect(idsOf(host.taken)).toEqual([1]);
    await host.readOn();
    expect(idsOf(host.taken)).toEqual([1, 2, 3]);
  });

  it("misses progress, and nothing else", async () => {
    const host = open();
    const progress = {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 1, progress: 1 },
    } as const;
    await host.transport.send(progress);
    host.stopReading();
    await host.transport.send(answer(1, large));
    await host.transport.send(progress);
    await host.transport.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    expect(host.sent.map(({ method }) => method)).toEqual([
      "notifications/progress",
      undefined,
      "notifications/tools/list_changed",
    ]);
  });

  it("is waited for at the end", async () => {
    const host = open();
    await host.transport.flushed();
    host.stopReading();
    await host.transport.send(answer(1));
    let flushed = false;
    const flushing = host.transport.flushed().then(() => (flushed = true));
    await host.lines("");
    expect(flushed).toBe(false);
    await host.readOn();
    await flushing;
  });
});

describe("many calls", () => {
  const many = Array.from({ length: 70 }, (_, id) => call(id));

  it("wait from the 65th on, while everything else goes past them", async () => {
    const host = open();
    await host.lines(...many, { jsonrpc: "2.0", id: "p", method: "ping" }, answer(99));
    expect(idsOf(host.taken)).toEqual([...Array.from({ length: 64 }, (_, id) => id), "p", 99]);
    await host.transport.send(answer(5));
    expect(idsOf(host.taken).at(-1)).toBe(64);
  });

  it("a cancelled one makes room, and one that waits is never begun", async () => {
    const host = open();
    const cancel = (requestId: number) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    await host.lines(...many, cancel(64), cancel(3));
    expect(idsOf(host.taken)).not.toContain(64);
    expect(idsOf(host.taken).at(-1)).toBe(65);
  });
});
