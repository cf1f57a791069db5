import assert from "node:assert/strict";
import { text } from "@toycoder/core";
import { say } from "../run-model.ts";
import { assertPaired, call, calls, partsOf, result, results, sentFor } from "./conversation.ts";
import type { ContractCase, ModelWire } from "./subject.ts";

/** A conversation goes out as every API accepts it, whatever became of it. */
export function historyCases(wire: ModelWire): ContractCase[] {
  return [
    {
      name: "parallel calls and their results go back in order, with the texts around them",
      run: async () => {
        const sent = await sentFor(wire, {
          messages: [
            say("hi"),
            calls(text("I look."), call("a", '{"path":"a"}'), call("b", { path: "b" })),
            results(result("a", text("A")), result("b", text("B"))),
            say("and now?"),
          ],
        });
        assert.deepEqual(sent.parts, [
          { type: "text", role: "user", text: "hi" },
          { type: "text", role: "assistant", text: "I look." },
          { type: "tool_call", id: "a", name: "read_file", arguments: { path: "a" } },
          { type: "tool_call", id: "b", name: "read_file", arguments: { path: "b" } },
          { type: "tool_result", callId: "a", text: "A" },
          { type: "tool_result", callId: "b", text: "B" },
          { type: "text", role: "user", text: "and now?" },
        ]);
      },
    },
    {
      name: "results in another order, or in messages of their own, go back in call order",
      run: async () => {
        const sent = await sentFor(wire, {
          messages: [
            say("hi"),
            calls(call("a", "{}"), call("b", "{}")),
            results(result("b", text("B"))),
            results(result("a", text("A"))),
          ],
        });
        assertPaired(sent);
        assert.deepEqual(
          partsOf(sent, "tool_result").map((part) => part.text),
          ["A", "B"],
        );
      },
    },
    {
      name: "arguments go back as an object, whatever the model wrote",
      run: async () => {
        const written = ['{"path":"a"}', "{broken", "[1]", '"text"', "", "null"];
        const sent = await sentFor(wire, {
          messages: [say("hi"), calls(...written.map((args, index) => call(`c${index}`, args)))],
        });
        assert.deepEqual(
          partsOf(sent, "tool_call").map((part) => part.arguments),
          [{ path: "a" }, {}, {}, {}, {}, {}],
        );
      },
    },
    {
      name: "a call without a result gets one that says cancelled",
      run: async () => {
        const sent = await sentFor(wire, {
          messages: [
            say("hi"),
            calls(call("a", "{}"), call("b", "{}")),
            results(result("a", text("A"))),
            say("go on"),
          ],
        });
        assertPaired(sent);
        assert.match(partsOf(sent, "tool_result")[1]?.text ?? "", /^cancelled/);
      },
    },
    {
      name: "a result without a call, or a second one, stays here",
      run: async () => {
        const sent = await sentFor(wire, {
          messages: [
            results(result("orphan", text("O"))),
            say("hi"),
            calls(call("a", "{}")),
            results(result("a", text("A")), result("a", text("again")), result("other", text("X"))),
          ],
        });
        assertPaired(sent);
        assert.deepEqual(
          partsOf(sent, "tool_result").map((part) => part.text),
          ["A"],
        );
      },
    },
    {
      name: "a call id that comes twice, or that no API takes, is changed in the call and its result alike",
      run: async () => {
        const turns = ["a", "a", "functions.read_file:0", "x".repeat(200), "", "世界"].flatMap(
          (id, index) => [calls(call(id, "{}")), results(result(id, text(String(index))))],
        );
        const sent = await sentFor(wire, { messages: [say("hi"), ...turns] });
        assertPaired(sent);
        assert.deepEqual(
          partsOf(sent, "tool_result").map((part) => part.text),
          ["0", "1", "2", "3", "4", "5"],
        );
        for (const { id } of partsOf(sent, "tool_call")) assert.match(id, /^[\w-]{1,64}$/);
      },
    },
    {
      name: "empty texts and messages without content are not sent; an empty result is",
      run: async () => {
        const sent = await sentFor(wire, {
          messages: [say("hi"), say(""), calls(text(""), call("a", "{}")), results(result("a")), calls()],
        });
        assert.deepEqual(sent.parts, [
          { type: "text", role: "user", text: "hi" },
          { type: "tool_call", id: "a", name: "read_file", arguments: {} },
          { type: "tool_result", callId: "a", text: "" },
        ]);
      },
    },
  ];
}
