import assert from "node:assert/strict";
import { text } from "@toycoder/core";
import { reply } from "../reply.ts";
import { sampleTool, say } from "../run-model.ts";
import { askWire, KEY } from "./ask-wire.ts";
import { callsOf } from "./assertions.ts";
import { assertPaired, call, calls, partsOf, PNG, result, results, sentFor } from "./conversation.ts";
import type { ContractCase, ModelWire, SentPart } from "./subject.ts";

/** What a request holds. */
export function requestCases(wire: ModelWire): ContractCase[] {
  return [
    {
      name: "a request holds the instructions, the user's words, the tools and the key; it is one",
      run: async () => {
        const { requests } = await askWire(wire, [reply.json(wire.json({ text: "ok" }))]);
        assert.equal(requests.length, 1);
        const { instructions, tools, parts } = wire.sent(requests[0]?.body ?? {});
        assert.equal(instructions, "Be brief.");
        assert.deepEqual(tools, ["read_file"]);
        assert.deepEqual(parts, [{ type: "text", role: "user", text: "hi" }]);
        assert.ok(JSON.stringify(requests[0]?.headers).includes(KEY), "a header holds the key");
        assert.ok(!JSON.stringify(requests[0]?.body).includes(KEY), "the body does not");
      },
    },
    {
      name: "the same conversation makes the same request, and stays as it was",
      run: async () => {
        const messages = [
          say("hi"),
          calls(text("I look."), call("a", '{"path":"a"}')),
          results(result("a", text("A"))),
        ];
        const before = structuredClone(messages);
        assert.deepEqual(await sentFor(wire, { messages }), await sentFor(wire, { messages }));
        assert.deepEqual(messages, before);
      },
    },
    {
      name: "an image of the user goes out with the text beside it",
      run: async () => {
        const sent = await sentFor(wire, { messages: [{ role: "user", content: [text("look"), PNG] }] });
        assert.deepEqual(sent.parts, [{ type: "text", role: "user", text: "look" }, PNG]);
      },
    },
    {
      name: "an image in a tool's result goes out after its call",
      run: async () => {
        const sent = await sentFor(wire, {
          messages: [
            say("hi"),
            calls(call("a", "{}"), call("b", "{}")),
            results(result("a", text("an image"), PNG), result("b", PNG)),
          ],
        });
        assert.deepEqual(partsOf(sent, "image"), [PNG, PNG]);
        assertPaired(sent);
        const at = (type: SentPart["type"]): number => sent.parts.findIndex((part) => part.type === type);
        assert.ok(at("tool_call") < at("image"));
      },
    },
    {
      name: "a tool name that no API takes has an alias on the wire: in the tools, the history and the answer",
      run: async () => {
        for (const name of ["server.read_file", "n".repeat(200)]) {
          const tools = [{ ...sampleTool, name }];
          const messages = [say("hi"), calls(call("a", "{}", name)), results(result("a", text("A")))];
          const sent = await sentFor(wire, { tools, messages });
          const [alias = ""] = sent.tools;
          assert.match(alias, /^[\w-]{1,128}$/);
          assert.equal(partsOf(sent, "tool_call")[0]?.name, alias);
          const answer = wire.events({ calls: [{ id: "b", name: alias, arguments: "{}" }] });
          const { run } = await askWire(wire, [reply.events(answer)], { request: { tools, messages } });
          assert.deepEqual(callsOf(run), [["b", name, {}]]);
        }
      },
    },
  ];
}
