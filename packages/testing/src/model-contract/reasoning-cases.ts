import assert from "node:assert/strict";
import { type Message, text } from "@toycoder/core";
import { fakeProvider } from "../fake-provider.ts";
import { reply } from "../reply.ts";
import { answerOf, eventsOf, runModel, say } from "../run-model.ts";
import { AT_ONCE, KEY, STANDARD } from "./ask-wire.ts";
import { assertPaired, partsOf, result, results } from "./conversation.ts";
import type { ContractCase, ModelWire, ReasoningSample, SentRequest } from "./subject.ts";

/** What a provider wants back of a model's reasoning goes back to it untouched, and to nobody else. */
export function reasoningCases(wire: ModelWire): ContractCase[] {
  async function reasoningRoundTrip(
    sample: ReasoningSample,
    change: (message: Extract<Message, { role: "assistant" }>) => Message = (message) => message,
  ): Promise<SentRequest> {
    await using server = await fakeProvider(
      reply.events(wire.events({ ...STANDARD, reasoning: sample.value })),
      reply.json(wire.json({ text: "ok" })),
    );
    const model = wire.model({ origin: server.url, apiKey: KEY, retries: AT_ONCE });
    const first = await runModel(model);
    assert.ok(eventsOf(first, "reasoning").some(({ data }) => data !== undefined));
    const back = results(result("call_a", text("A")), result("call_b", text("B")));
    const second = await runModel(model, { messages: [say("hi"), change(answerOf(first)), back] });
    assert.equal(second.thrown, undefined);
    return wire.sent(server.requests[1]?.body ?? {});
  }

  return (wire.reasoning ?? []).flatMap((sample) => [
    {
      name: `${sample.name} goes back untouched, before the calls that it led to`,
      run: async () => {
        const sent = await reasoningRoundTrip(sample);
        const at = sent.parts.findIndex((part) => part.type === "tool_call");
        const before = sent.parts.slice(0, at).filter((part) => part.type === "reasoning");
        assert.deepEqual(before, [{ type: "reasoning", value: sample.sent }]);
      },
    },
    {
      name: `${sample.name} of another provider stays here`,
      run: async () => {
        const sent = await reasoningRoundTrip(sample, ({ content }) => ({
          role: "assistant",
          content: content.map((part) =>
            part.type === "reasoning" && part.data
              ? { ...part, data: { ...part.data, provider: "another" } }
              : part,
          ),
        }));
        assert.deepEqual(partsOf(sent, "reasoning"), []);
        assertPaired(sent);
      },
    },
  ]);
}
