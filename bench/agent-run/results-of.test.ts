import { expect, it } from "vitest";
import { resultsOf } from "./results-of.ts";

const call = { id: "1", name: "read_file", arguments: "{}" };
const BODIES: Readonly<Record<string, object>> = {
  "Chat Completions": {
    messages: [
      { role: "user", content: "task" },
      { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: call }] },
      { role: "tool", tool_call_id: "1", content: "one" },
      { role: "tool", tool_call_id: "2", content: "two" },
    ],
  },
  Responses: {
    input: [
      { role: "user", content: [{ type: "input_text", text: "task" }] },
      { type: "function_call", call_id: "1", name: "read_file", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "one" },
      { type: "function_call_output", call_id: "2", output: "two" },
    ],
  },
  Messages: {
    messages: [
      { role: "user", content: "task" },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read_file", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: "one" },
          { type: "tool_result", tool_use_id: "2", content: [{ type: "text", text: "two" }] },
        ],
      },
    ],
  },
};

it.each(Object.entries(BODIES))("finds the tool results in a request for %s", (_, body) => {
  const [first, second, ...more] = resultsOf(JSON.stringify(body));
  expect([first, more]).toEqual(["one", []]);
  expect(second).toContain("two");
});
