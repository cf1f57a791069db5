import assert from "node:assert/strict";
import type { ModelErrorKind } from "@toycoder/core";
import { fakeProvider, type Reply } from "../fake-provider.ts";
import { eventStream, reply } from "../reply.ts";
import { eventsOf, runModel } from "../run-model.ts";
import { askWire, AT_ONCE, KEY, standardReply, STANDARD } from "./ask-wire.ts";
import { failedWith, isStandard } from "./assertions.ts";
import type { ContractCase, FaultKind, ModelWire } from "./subject.ts";

/** A failure that may pass is tried again, and doubles nothing; one that will not is thrown after one request. */
export function failureCases(wire: ModelWire): ContractCase[] {
  const whole = standardReply(wire);
  const events = wire.events(STANDARD);
  const end = events.findIndex((event) => wire.completes(event));
  const half = events.slice(0, Math.ceil(end / 2));
  const withinCall = events.slice(0, end - 3);
  const statusOf = (kind: FaultKind, said: string, headers?: Record<string, string>): Reply => {
    const { status, body } = wire.fault(kind, said);
    return reply.status(status, body, headers);
  };
  const within = (kind: FaultKind, said: string): Reply =>
    reply.events([...half, wire.fault(kind, said).event]);

  const passing: [name: string, broken: Reply, kind: ModelErrorKind][] = [
    ["a connection that is closed before any byte", reply.close, "network"],
    ["a reset in the middle of a text", reply.events(events.slice(0, 4), "reset"), "network"],
    ["a reset in the middle of a call", reply.events(withinCall, "reset"), "network"],
    ["an empty body", reply.raw(""), "network"],
    ["data that is not JSON", reply.raw('data: {"choices":[{"del\n\n'), "network"],
    ["JSON that breaks off", reply.raw('{"output":[', "clean", "application/json"), "network"],
    ["an overloaded server", statusOf("overloaded", "busy"), "overloaded"],
    ["a server's defect", statusOf("server_error", "oops"), "overloaded"],
    [
      "a web page with status 502",
      reply.status(502, "<html><title>Bad Gateway</title></html>"),
      "overloaded",
    ],
    ["an empty answer with status 503", reply.status(503, ""), "overloaded"],
    ["a rate limit", statusOf("rate_limit", "slow down"), "rate_limit"],
    ["an overloaded server within the stream", within("overloaded", "busy"), "overloaded"],
    ["a server's defect within the stream", within("server_error", "oops"), "overloaded"],
    ["a rate limit within the stream", within("rate_limit", "slow down"), "rate_limit"],
  ];
  const lasting: [name: string, broken: Reply, kind: ModelErrorKind, said: string][] = [
    ["a refused request", statusOf("invalid_request", "tools.0: bad"), "invalid_request", "tools.0: bad"],
    ["a refused key", statusOf("auth", "no such key"), "auth", "no such key"],
    ["a key that may not", statusOf("forbidden", "not for you"), "auth", "not for you"],
    ["a refused request within the stream", within("invalid_request", "no"), "invalid_request", "no"],
    ["a refused key within the stream", within("auth", "gone"), "auth", "gone"],
    ["a context overflow within the stream", within("context_overflow", "long"), "context_overflow", "long"],
    [
      "an error as JSON with status 200",
      reply.json(wire.fault("invalid_request", "no").body),
      "invalid_request",
      "no",
    ],
    [
      "an error alone in a stream with status 200",
      reply.events([wire.fault("invalid_request", "no").event]),
      "invalid_request",
      "no",
    ],
    [
      "a web page with status 404",
      reply.status(404, "<!doctype html><html><title>Nothing here</title></html>"),
      "invalid_request",
      "Nothing here",
    ],
    [
      "a web page with status 200",
      reply.status(200, "<html><title>Log in</title></html>"),
      "invalid_request",
      "Log in",
    ],
    ...wire.overflows.map(({ status, body }, index): [string, Reply, ModelErrorKind, string] => [
      `a conversation that is too long (${index + 1})`,
      reply.status(status, body),
      "context_overflow",
      "",
    ]),
  ];

  return [
    ...passing.map(([name, broken, kind]): ContractCase => ({
      name: `${name} is tried again, and doubles nothing`,
      run: async () => {
        const { run, requests } = await askWire(wire, [broken, whole]);
        isStandard(run, 1);
        const [retry] = eventsOf(run, "retry");
        assert.equal(retry?.attempt, 1);
        assert.equal(retry?.error.code, kind, retry?.error.message);
        assert.equal(requests.length, 2);
        assert.deepEqual(requests[1]?.body, requests[0]?.body);
      },
    })),
    ...lasting.map(([name, broken, kind, said]): ContractCase => ({
      name: `${name} is thrown after one request, with what the server said`,
      run: async () => {
        const { run, requests } = await askWire(wire, [broken, whole]);
        failedWith(run, kind, said);
        assert.equal(requests.length, 1);
      },
    })),
    {
      name: "a stream that ends too early is a failure, wherever it is cut",
      run: async () => {
        const text = eventStream(events.slice(0, end + 1));
        const last = eventStream(events.slice(0, end)).length;
        for (let cut = 0; cut < last; cut += 97) {
          const { run } = await askWire(wire, [reply.raw(text.slice(0, cut)), whole]);
          isStandard(run, 1);
        }
        for (let count = end; count > 0; count -= 7) {
          const { run } = await askWire(wire, [reply.events(events.slice(0, count)), whole]);
          isStandard(run, 1);
        }
      },
    },
    {
      name: "four retries at most, in growing waits; then the last failure is thrown",
      run: async () => {
        const waits: number[] = [];
        const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
        const { run, requests } = await askWire(
          wire,
          [...Array.from({ length: 4 }, () => reply.close), statusOf("server_error", "still down")],
          { retries: { ...AT_ONCE, sleep } },
        );
        failedWith(run, "overloaded", "still down");
        assert.equal(requests.length, 5);
        assert.deepEqual(
          eventsOf(run, "retry").map(({ attempt }) => attempt),
          [1, 2, 3, 4],
        );
        assert.deepEqual(
          eventsOf(run, "retry").map(({ delayMs }) => delayMs),
          waits,
        );
        assert.deepEqual(
          waits.toSorted((a, b) => a - b),
          waits,
        );
      },
    },
    {
      name: "without retries there is one request",
      run: async () => {
        const { run, requests } = await askWire(wire, [statusOf("server_error", "down")], { retries: 0 });
        failedWith(run, "overloaded", "down");
        assert.equal(requests.length, 1);
      },
    },
    {
      name: "nobody at the address is the network's failure",
      run: async () => {
        const server = await fakeProvider(whole);
        await server[Symbol.asyncDispose]();
        const run = await runModel(wire.model({ origin: server.url, apiKey: KEY, retries: 0 }));
        failedWith(run, "network", "127.0.0.1");
      },
    },
    {
      name: "the key is in no message, whatever the server repeats",
      run: async () => {
        const said = `Incorrect key provided: ${KEY}.`;
        const { run } = await askWire(wire, [
          statusOf("server_error", said),
          within("overloaded", said),
          statusOf("auth", said),
        ]);
        failedWith(run, "auth", "Incorrect key");
        const { thrown } = run;
        const shown = [run.events, thrown, String(thrown), thrown instanceof Error ? thrown.stack : ""];
        assert.ok(!JSON.stringify(shown).includes(KEY), JSON.stringify(shown));
      },
    },
  ];
}
