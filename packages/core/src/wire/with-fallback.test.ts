import { describe, expect, it } from "vitest";
import { ModelError, type ModelErrorKind } from "../errors.ts";
import { type Message, text } from "../message.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { withFallback } from "./with-fallback.ts";

interface TestModel extends Model {
  readonly requests: ModelRequest[];
}

const DONE: ModelEvent[] = [{ type: "finish", reason: "stop" }];

/** Answers with these events, then throws where there is something to throw. */
function model(id: string, events: readonly ModelEvent[], thrown?: unknown, more: Partial<Model> = {}) {
  const requests: ModelRequest[] = [];
  const made: TestModel = {
    id,
    requests,
    ...more,
    async *stream(request) {
      requests.push(request);
      yield* await Promise.resolve(events);
      if (thrown !== undefined) throw thrown;
    },
  };
  return made;
}

const failing = (kind: ModelErrorKind, events: readonly ModelEvent[] = [], more: Partial<Model> = {}) =>
  model("one:a", events, new ModelError(kind, "it is too busy", { hint: "wait" }), more);
const said = (value: string): ModelEvent => ({ type: "text", text: value });
const ask = (asked: Model, messages: readonly Message[] = [], signal = new AbortController().signal) =>
  Array.fromAsync(asked.stream({ instructions: "", messages, tools: [] }, { signal }));

describe("withFallback", () => {
  it.each(["overloaded", "rate_limit"] as const)("goes on with the second after %s", async (kind) => {
    const second = model("two:b", [said("hello"), ...DONE]);
    const both = withFallback(failing(kind, [said("hal")]), second);
    expect(both.id).toBe("one:a");
    expect(await ask(both)).toEqual([
      said("hal"),
      {
        type: "retry",
        attempt: 1,
        delayMs: 0,
        error: {
          code: kind,
          message: "one:a failed for good, going on with two:b: it is too busy",
          hint: "wait",
        },
      },
      said("hello"),
      ...DONE,
    ]);
    expect(both.id).toBe("two:b");
  });

  it("counts the attempts of the first", async () => {
    const retry: ModelEvent = {
      type: "retry",
      attempt: 1,
      delayMs: 0,
      error: { code: "overloaded", message: "" },
    };
    const both = withFallback(failing("overloaded", [retry, { ...retry, attempt: 2 }]), model("two:b", DONE));
    const events = await ask(both);
    expect(events.map((event) => (event.type === "retry" ? event.attempt : event.type))).toEqual([
      1,
      2,
      3,
      "finish",
    ]);
  });

  it("stays with the second", async () => {
    const [first, second] = [failing("overloaded"), model("two:b", DONE)];
    const both = withFallback(first, second);
    await ask(both);
    expect(await ask(both)).toEqual(DONE);
    expect([first.requests.length, second.requests.length]).toEqual([1, 2]);
  });

  it.each(["auth", "invalid_request", "context_overflow", "network", "refused"] as const)(
    "throws %s as it is",
    async (kind) => {
      const second = model("two:b", DONE);
      const both = withFallback(failing(kind), second);
      await expect(ask(both)).rejects.toMatchObject({ kind });
      expect([both.id, second.requests.length]).toEqual(["one:a", 0]);
    },
  );

  it("throws what is no model's error as it is", async () => {
    const both = withFallback(model("one:a", [], new TypeError("a defect")), model("two:b", DONE));
    await expect(ask(both)).rejects.toThrow(new TypeError("a defect"));
  });

  it("throws the signal's reason on abort, whatever the first throws then", async () => {
    const controller = new AbortController();
    const second = model("two:b", DONE);
    const first: Model = {
      id: "one:a",
      async *stream() {
        yield await Promise.resolve(said("x"));
        controller.abort(new Error("stop"));
        throw new ModelError("overloaded", "late");
      },
    };
    await expect(ask(withFallback(first, second), [], controller.signal)).rejects.toThrow("stop");
    expect(second.requests).toEqual([]);
  });

  it("sends the second no data of the first, and its own data back", async () => {
    const data = { provider: "p", value: "signed" };
    const of = (callId: string): Message[] => [
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", data },
          text("so"),
          { type: "tool_call", id: callId, name: "a", arguments: {}, data },
        ],
      },
      { role: "tool", results: [{ callId, name: "a", ok: true, content: [text("x")] }] },
    ];
    const earlier: Message[] = [{ role: "user", content: [text("hi")] }, ...of("call_1")];
    const second = model("two:b", DONE);
    const both = withFallback(failing("overloaded"), second);
    await ask(both, earlier);
    await ask(both, [...earlier, ...of("call_2")]);
    expect(JSON.stringify(second.requests[0])).not.toContain("signed");
    const [, before, , after] = second.requests[1]?.messages ?? [];
    expect(before?.role === "assistant" && before.content).toEqual([
      { type: "reasoning", text: "hm" },
      text("so"),
      { type: "tool_call", id: "call_1", name: "a", arguments: {} },
    ]);
    expect(JSON.stringify(after).match(/signed/g)).toHaveLength(2);
    expect(JSON.stringify(earlier).match(/signed/g)).toHaveLength(2);
  });

  it("chains", async () => {
    const third = model("three:c", [said("at last"), ...DONE]);
    const second = model("two:b", [], new ModelError("rate_limit", "no more"));
    const both = withFallback(failing("overloaded"), withFallback(second, third));
    const events = await ask(both);
    const told = events.flatMap((event) => (event.type === "retry" ? [event.error.message] : []));
    expect(told).toEqual([
      "one:a failed for good, going on with two:b: it is too busy",
      "two:b failed for good, going on with three:c: no more",
    ]);
    expect(both.id).toBe("three:c");
  });

  it("throws the second's failure", async () => {
    const both = withFallback(failing("overloaded"), model("two:b", [], new ModelError("auth", "no key")));
    await expect(ask(both)).rejects.toMatchObject({ kind: "auth", message: "no key" });
  });

  it("has the facts of the model that answers, and prices where both are known", async () => {
    const cheap = { input: 1, output: 1 };
    const dear = { input: 9, output: 9 };
    const first = failing("overloaded", [], { contextWindow: 10, maxOutputTokens: 3, prices: cheap });
    const both = withFallback(first, model("two:b", DONE, undefined, { contextWindow: 20, prices: dear }));
    expect(both).toMatchObject({ contextWindow: 10, maxOutputTokens: 3, prices: cheap });
    await ask(both);
    expect([both.contextWindow, both.maxOutputTokens, both.prices]).toEqual([20, undefined, dear]);
    expect(withFallback(first, model("two:b", DONE)).prices).toBeUndefined();
    expect(withFallback(model("one:a", DONE), first).prices).toBeUndefined();
  });

  it("refuses a model as its own fallback", () => {
    const one = model("one:a", DONE);
    expect(() => withFallback(one, one)).toThrow("one:a cannot be its own fallback");
  });
});
