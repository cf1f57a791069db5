import { expect, test } from "vitest";
import { type Message, text, type ToolCallPart, type ToolResultPart } from "../message.ts";
import { argumentsObject } from "./call-arguments.ts";
import { createCallIds } from "./call-ids.ts";
import { validHistory } from "./valid-history.ts";

const rules = { callId: /^[a-zA-Z0-9_-]{1,40}$/ };
const call = (id: string): ToolCallPart => ({ type: "tool_call", id, name: "read_file", arguments: "{}" });
const result = (callId: string, said = callId): ToolResultPart => ({
  callId,
  name: "read_file",
  ok: true,
  content: [text(said)],
});
const user: Message = { role: "user", content: [text("hi")] };

test("a history that is valid stays as it is", () => {
  const messages: Message[] = [
    user,
    { role: "assistant", content: [text("ok"), call("a"), call("b")] },
    { role: "tool", results: [result("a"), result("b")] },
    { role: "assistant", content: [text("done")] },
  ];
  expect(validHistory(messages, rules)).toEqual(messages);
});

test("a call without a result gets a cancelled one, in the place of the call", () => {
  const valid = validHistory(
    [user, { role: "assistant", content: [call("a"), call("b")] }, { role: "tool", results: [result("b")] }],
    rules,
  );
  expect(valid.at(-1)).toMatchObject({
    role: "tool",
    results: [
      { callId: "a", ok: false, code: "cancelled" },
      { callId: "b", ok: true },
    ],
  });
  expect(validHistory([user, { role: "assistant", content: [call("a")] }, user], rules)).toHaveLength(4);
});

test("orphan and repeated results are gone, results in two messages come together", () => {
  const valid = validHistory(
    [
      { role: "tool", results: [result("ghost")] },
      user,
      { role: "assistant", content: [call("a"), call("b")] },
      { role: "tool", results: [result("b"), result("ghost")] },
      { role: "tool", results: [result("a"), result("a", "again")] },
    ],
    rules,
  );
  expect(valid.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(valid[2]).toEqual({ role: "tool", results: [result("a"), result("b")] });
});

test("no id comes twice, and each of two calls with one id keeps its own result", () => {
  const turn: Message[] = [
    { role: "assistant", content: [call("call_0"), call("call_0")] },
    { role: "tool", results: [result("call_0", "first"), result("call_0", "second")] },
  ];
  const valid = validHistory([user, ...turn, ...turn], rules);
  const ids = valid.flatMap((m) => (m.role === "tool" ? m.results.map(({ callId }) => callId) : []));
  expect(new Set(ids).size).toBe(4);
  const calls = valid.flatMap((m) =>
    m.role === "assistant" ? m.content.map((part) => (part as ToolCallPart).id) : [],
  );
  expect(calls).toEqual(ids);
  expect(valid[2]).toMatchObject({ results: [{ content: [text("first")] }, { content: [text("second")] }] });
});

test("an id that the provider would refuse is replaced in the call and in its result", () => {
  const strange = "functions.read_file:0";
  const valid = validHistory(
    [
      { role: "assistant", content: [call(strange)] },
      { role: "tool", results: [result(strange)] },
    ],
    rules,
  );
  const [part] = valid[0]!.role === "assistant" ? valid[0]!.content : [];
  const id = part?.type === "tool_call" ? part.id : "";
  expect(id).toMatch(rules.callId);
  expect(valid[1]).toMatchObject({ results: [{ callId: id, ok: true }] });
});

test("messages without content are left out", () => {
  const empty: Message[] = [
    { role: "user", content: [text("")] },
    { role: "assistant", content: [] },
  ];
  expect(validHistory([...empty, user], rules)).toEqual([user]);
});

test("arguments go back as an object, whatever the model wrote", () => {
  for (const given of ["", "{", "[1]", "null", '"x"']) {
    expect(argumentsObject({ id: "a", name: "x", arguments: given })).toEqual({});
  }
  expect(argumentsObject({ id: "a", name: "x", arguments: '{"a":1}' })).toEqual({ a: 1 });
  expect(argumentsObject({ id: "a", name: "x", arguments: { b: 2 } })).toEqual({ b: 2 });
});

test("a call without an id, or with one that was there before, gets a new one", () => {
  const callId = createCallIds();
  expect(callId("a")).toBe("a");
  for (const id of ["a", "", null, undefined, 7]) expect(callId(id)).toMatch(/^call_[0-9a-f]{32}$/);
});
