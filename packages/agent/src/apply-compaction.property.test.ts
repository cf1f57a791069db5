import type { AssistantPart, Message } from "@toycoder/core";
import { validHistory } from "@toycoder/core/wire";
import fc from "fast-check";
import { expect, it } from "vitest";
import { applyCompaction, countDropped, droppedMessages } from "./apply-compaction.ts";

const RUNS = process.env["TOYCODER_SOAK"] === "1" ? 20_000 : 500;

const words = fc.string({ minLength: 1, maxLength: 20 });
const user = words.map((value): Message[] => [{ role: "user", content: [{ type: "text", text: value }] }]);

interface Turn {
  says: string;
  calls: { name: string; ok: boolean; result: string; image: boolean }[];
}
const turn: fc.Arbitrary<Turn> = fc.record({
  says: words,
  calls: fc.array(
    fc.record({
      name: fc.constantFrom("read_file", "run_command"),
      ok: fc.boolean(),
      result: fc.string({ minLength: 1, maxLength: 60 }),
      image: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

/** Valid histories: they begin with the user, each call has its result; users may speak between turns. */
const history = fc
  .tuple(
    user,
    fc.array(fc.oneof({ weight: 4, arbitrary: turn }, { weight: 1, arbitrary: user }), { maxLength: 20 }),
  )
  .map(([first, rest]) => [
    ...first,
    ...rest.flatMap((entry, at) => (Array.isArray(entry) ? entry : messagesOf(entry, at))),
  ]);

function messagesOf({ says, calls }: Turn, at: number): Message[] {
  const content: AssistantPart[] = [{ type: "text", text: says }];
  for (const [index, { name }] of calls.entries())
    content.push({ type: "tool_call", id: `call_${at}_${index}`, name, arguments: {} });
  const results = calls.map(({ name, ok, result, image }, index) => ({
    callId: `call_${at}_${index}`,
    name,
    ok,
    content: image
      ? [{ type: "image" as const, mediaType: "image/png", data: "AAAA" }]
      : [{ type: "text" as const, text: result }],
  }));
  return [
    { role: "assistant", content },
    ...(results.length > 0 ? [{ role: "tool" as const, results }] : []),
  ];
}

const RULES = { callId: /^[\w-]+$/ };

it("keeps the first user message, the last turns and every pair, whatever the history", () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 6 }), fc.boolean(), (messages, keep, cut) => {
      const dropped = countDropped(messages, keep);
      const change = { dropped, summary: "so far", ...(cut && { resultChars: 10 }) };
      const after = applyCompaction(messages, change);
      expect(validHistory(after, RULES)).toEqual(after);
      expect(after[0]).toBe(messages[0]);
      expect(droppedMessages(messages, dropped)).toEqual(messages.slice(1, 1 + dropped));
      const kept = after.slice(dropped > 0 ? 2 : 1);
      if (dropped > 0) expect(messages[dropped]?.role).not.toBe("user");
      if (!cut) expect(kept).toEqual(messages.slice(1 + dropped));
      const answers = kept.filter(({ role }) => role === "assistant");
      const all = messages.filter(({ role }) => role === "assistant");
      expect(answers).toEqual(all.slice(all.length - answers.length));
      expect(answers.length).toBe(dropped > 0 ? keep : all.length);
      if (!cut) return;
      for (const message of kept)
        if (message.role === "tool")
          for (const part of message.results.flatMap(({ content }) => content))
            expect(part.type === "text" && part.text.length).toBeLessThan(10 + 40);
    }),
    { seed: 42, numRuns: RUNS },
  );
});

it("comes to the same by its steps, one compaction after another", () => {
  fc.assert(
    fc.property(history, (messages) => {
      let now: Message[] = messages;
      for (const keep of [4, 1])
        now = applyCompaction(now, { dropped: countDropped(now, keep), summary: `${keep}` });
      expect(now[0]).toBe(messages[0]);
      expect(validHistory(now, RULES)).toEqual(now);
      expect(countDropped(now, 1)).toBe(0);
    }),
    { seed: 7, numRuns: RUNS },
  );
});
