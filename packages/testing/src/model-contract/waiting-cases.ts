import assert from "node:assert/strict";
import { fakeProvider, type Reply } from "../fake-provider.ts";
import { reply } from "../reply.ts";
import { eventsOf, runModel } from "../run-model.ts";
import { askWire, AT_ONCE, KEY, standardReply, STANDARD } from "./ask-wire.ts";
import { isStandard } from "./assertions.ts";
import type { ContractCase, ModelWire } from "./subject.ts";

const DAY = 86_400_000;

/** How long a model waits: as the server asks, not for silence, and not for anything once it is aborted. */
export function waitingCases(wire: ModelWire): ContractCase[] {
  const whole = standardReply(wire);
  const events = wire.events(STANDARD);
  const end = events.findIndex((event) => wire.completes(event));

  /** A slow machine may find the second answer silent too, so there may be more retries than one. */
  async function silentThenWhole(silent: Reply): Promise<void> {
    const { run, requests } = await askWire(wire, [silent, whole], { idleTimeoutMs: 1000 });
    const retries = eventsOf(run, "retry");
    assert.equal(retries[0]?.error.code, "network");
    isStandard(run, retries.length);
    await requests[0]?.closed;
  }

  async function delayAfter(headers: Record<string, string>): Promise<number> {
    const { status, body } = wire.fault("rate_limit", "slow down");
    const { run } = await askWire(wire, [reply.status(status, body, headers), whole]);
    isStandard(run, 1);
    return eventsOf(run, "retry")[0]?.delayMs ?? -1;
  }

  async function abortedIn(
    answer: Reply,
    when: "request" | "text" | "retry",
    retries: object = AT_ONCE,
  ): Promise<void> {
    const controller = new AbortController();
    const stop = (): void => controller.abort(new Error("stop"));
    await using server = await fakeProvider((response) => {
      answer(response);
      if (when === "request") stop();
    }, whole);
    const run = await runModel(
      wire.model({ origin: server.url, apiKey: KEY, retries }),
      {},
      { signal: controller.signal, onEvent: ({ type }) => type === when && stop() },
    );
    assert.equal((run.thrown as Error).message, "stop");
    assert.equal(server.requests.length, 1, "an aborted call is not tried again");
    assert.equal(eventsOf(run, "retry").length, when === "retry" ? 1 : 0);
    await server.requests[0]?.closed;
  }

  return [
    {
      name: "retry-after is kept: in seconds, as a date, in milliseconds",
      run: async () => {
        assert.equal(await delayAfter({ "retry-after": "7" }), 7000);
        assert.equal(await delayAfter({ "retry-after-ms": "1500", "retry-after": "60" }), 1500);
        const date = await delayAfter({ "retry-after": new Date(Date.now() + 50_000).toUTCString() });
        assert.ok(date > 0 && date <= 50_000, `${date} ms`);
        assert.equal(await delayAfter({ "retry-after": new Date(0).toUTCString() }), 0);
      },
    },
    {
      name: "a retry-after without end is kept up to a cap, and nonsense is passed over",
      run: async () => {
        assert.equal(await delayAfter({ "retry-after": "86400" }), 60_000);
        assert.equal(await delayAfter({ "retry-after": new Date(Date.now() + DAY).toUTCString() }), 60_000);
        for (const nonsense of ["soon", "-5", "", "Infinity", "1e9"]) {
          const delay = await delayAfter({ "retry-after": nonsense });
          assert.ok(delay > 0 && delay <= 8000, `${nonsense}: ${delay} ms`);
        }
      },
    },
    {
      name: "a stream that falls silent is ended and tried again",
      run: () => silentThenWhole(reply.events(events.slice(0, 4), "open")),
    },
    {
      name: "a server that never answers is given up and tried again",
      run: () => silentThenWhole(reply.silence),
    },
    {
      name: "an abort before the answer is immediate, and closes the connection",
      run: () => abortedIn(reply.silence, "request"),
    },
    {
      name: "an abort within the answer is immediate, and closes the connection",
      run: () => abortedIn(reply.events(events.slice(0, end - 3), "open"), "text"),
    },
    {
      name: "an abort ends the wait for a retry",
      run: () => {
        const { status, body } = wire.fault("rate_limit", "slow down");
        return abortedIn(reply.status(status, body, { "retry-after": "60" }), "retry", {});
      },
    },
    {
      name: "who stops reading closes the connection",
      run: async () => {
        await using server = await fakeProvider(reply.events(events.slice(0, end - 3), "open"));
        const model = wire.model({ origin: server.url, apiKey: KEY, retries: AT_ONCE });
        const { signal } = new AbortController();
        const request = { instructions: "", messages: [], tools: [] };
        for await (const event of model.stream(request, { signal })) if (event.type === "text") break;
        await server.requests[0]?.closed;
        assert.equal(server.requests.length, 1);
      },
    },
  ];
}
