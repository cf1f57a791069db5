import assert from "node:assert/strict";
import type { Reply } from "../fake-provider.ts";
import { eventStream, reply } from "../reply.ts";
import { askWire, STANDARD, USAGE } from "./ask-wire.ts";
import { callsOf, isStandard } from "./assertions.ts";
import type { ContractCase, WireSubject } from "./subject.ts";

const MANY = "0123456789".repeat(1_000_000);

/** The ways in which a server may say one answer: all of them come out the same. */
export function streamCases({ wire, stops }: Pick<WireSubject, "wire" | "stops">): ContractCase[] {
  const whole = wire.events(STANDARD);
  const text = eventStream(whole);
  const crlf = text.replaceAll("\n", "\r\n");
  const commented = text.replaceAll(/^data:/gm, ": ping\n:\ndata:");
  const wide = wire.events({ ...STANDARD, text: "„世界“ 👩‍👩‍👧" });

  const same: Record<string, Reply> = {
    "one JSON value instead of a stream": reply.json(wire.json(STANDARD)),
    "CR LF line ends": reply.raw(crlf),
    "comments and pings between the events": reply.raw(`: hello\n\n${commented}event: ping\n\n`),
    "no blank line after the last event": reply.raw(text.trimEnd()),
    "data without event names": reply.raw(text.replaceAll(/^event:.*\n/gm, "")),
    "a byte order mark before the first event": reply.raw(`\uFEFF${text}`),
    "no space after the colons": reply.raw(text.replaceAll(/^(event|data): /gm, "$1:")),
    "another content type": reply.raw(text, "clean", "text/plain"),
    "bytes that come one by one": reply.byteByByte(text),
    "bytes that come one by one, with CR LF": reply.byteByByte(crlf),
    gzip: reply.gzip(text),
    ...Object.fromEntries(
      Object.entries(wire.variants?.(STANDARD) ?? {}).map(([name, events]) => [name, reply.events(events)]),
    ),
  };

  return [
    ...Object.entries(same).map(([name, answer]): ContractCase => ({
      name: `the same answer comes out of ${name}`,
      run: async () => {
        const { run, requests } = await askWire(wire, [answer]);
        isStandard(run);
        assert.equal(requests.length, 1);
      },
    })),
    {
      name: "a character whose bytes come apart stays whole",
      run: async () => {
        const { run } = await askWire(wire, [reply.byteByByte(eventStream(wide))]);
        assert.equal(run.text, "„世界“ 👩‍👩‍👧");
      },
    },
    {
      name: "a text of 10 MB comes out whole, from a stream and in one piece",
      run: async () => {
        const [first, ...rest] = wire.variants?.({ text: MANY, usage: USAGE })["one piece"] ?? [];
        const streamed = first === undefined ? [] : [reply.events([first, ...rest])];
        for (const answer of [reply.json(wire.json({ text: MANY, usage: USAGE })), ...streamed]) {
          const { run } = await askWire(wire, [answer]);
          assert.equal(run.thrown, undefined);
          assert.ok(run.text === MANY, `${run.text.length} characters came`);
        }
      },
    },
    {
      name: "an answer that was cut off at its limit holds no call whose arguments are not whole",
      run: async () => {
        const cut = { id: "call_c", name: "read_file", arguments: '{"path":"b' };
        for (const [stop] of stops.filter(([, reason]) => reason === "length")) {
          const answer = wire.events({ calls: [...STANDARD.calls, cut], stop });
          const { run } = await askWire(wire, [reply.events(answer)]);
          assert.deepEqual(
            callsOf(run).map(([id]) => id),
            ["call_a", "call_b"],
          );
          assert.deepEqual(run.events.at(-1), { type: "finish", reason: "length" });
        }
      },
    },
    {
      name: "a call without an id, or with one that came before, gets its own",
      run: async () => {
        const [call] = STANDARD.calls;
        const calls = [call, call, { ...call, id: "" }, { ...call, id: "" }].map((one) => ({
          ...one,
          name: "read_file",
          arguments: '{"path":"a"}',
          id: one?.id ?? "",
        }));
        const replies = [reply.events(wire.events({ calls })), reply.json(wire.json({ calls }))];
        for (const answer of replies) {
          const { run } = await askWire(wire, [answer]);
          const ids = callsOf(run).map(([id]) => id);
          assert.equal(ids.length, 4);
          assert.equal(new Set(ids).size, 4, ids.join(" "));
          assert.ok(ids.every((id) => id !== ""));
        }
      },
    },
    {
      name: "arguments that never came are an empty object",
      run: async () => {
        const calls = [{ id: "call_e", name: "read_file", arguments: "" }];
        for (const answer of [reply.events(wire.events({ calls })), reply.json(wire.json({ calls }))]) {
          const { run } = await askWire(wire, [answer]);
          assert.deepEqual(callsOf(run), [["call_e", "read_file", {}]]);
        }
      },
    },
  ];
}
