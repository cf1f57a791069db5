import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { isToolError } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { createAgent } from "langchain";
import { afterAll, expect, test } from "vitest";
import { PIXEL, sampleTools } from "../test-support/sample-tools.ts";
import { toLangChainTools } from "./to-lang-chain-tools.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
const { root } = folder;

/** The ToolMessages of an agent that makes these calls in its first turn. */
async function runAgent(tools: ReturnType<typeof toLangChainTools>, calls: { name: string; args: object }[]) {
  const model = fakeModel()
    .respondWithTools(calls.map((call, at) => ({ ...call, id: `call_${at}` })))
    .respond(new AIMessage("done"));
  const { messages } = await createAgent({ model, tools }).invoke({ messages: [new HumanMessage("go")] });
  expect(messages.at(-1)?.text).toBe("done");
  const told = messages.filter((message) => ToolMessage.isInstance(message));
  // What the model was asked with the second time is what the agent's state says.
  expect(model.calls[1]?.messages.filter((message) => ToolMessage.isInstance(message))).toHaveLength(
    told.length,
  );
  return told;
}

test("an agent runs our tools through dispatch, and gets their content and output", async () => {
  const { tools, ran } = sampleTools();
  const { session } = toolBench(tools, { root });
  const told = await runAgent(toLangChainTools(session), [
    { name: "add", args: { a: 1, b: "2" } },
    { name: "look", args: {} },
  ]);
  expect(ran).toEqual(["add", "look"]);
  expect(told).toMatchObject([
    {
      status: "success",
      name: "add",
      tool_call_id: "call_0",
      content: '{"sum":3}',
      artifact: { output: { sum: 3 } },
    },
    {
      status: "success",
      content: [
        { type: "text", text: "a pixel" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
      ],
      artifact: { output: { width: 1 } },
    },
  ]);
});

test("a denied call does not run, the model sees why, and the agent goes on", async () => {
  const { tools, ran } = sampleTools();
  const policy = { allow: ["remove(tmp/**)"], deny: ["remove(src/**)"] };
  const { session } = toolBench(tools, { root, policy });
  const told = await runAgent(toLangChainTools(session), [
    { name: "remove", args: { path: "src/a.ts" } },
    { name: "remove", args: { path: "b.ts" } },
    { name: "remove", args: { path: "tmp/x" } },
    { name: "add", args: { a: 1 } },
  ]);
  expect(ran).toEqual(["remove tmp/x"]);
  expect(told.map(({ status }) => status)).toEqual(["error", "error", "success", "error"]);
  expect(told[0]?.content).toBe(
    "Error (permission_denied): denied by the rule remove(src/**)\nHint: this is settled; do not try it another way",
  );
  expect(told[0]?.artifact).toMatchObject({ error: { code: "permission_denied" } });
  expect(told[1]?.content).toContain("remove(./b.ts)");
  // LangChain's own check of the arguments would have come first, without a word of what is wrong.
  expect(told[3]?.content).toContain("Error (invalid_arguments): b: ");
});

test("what asks is asked through the session", async () => {
  const { tools, ran } = sampleTools();
  const answers = ["once", "no"] as const;
  let asked = 0;
  const ask = { approval: async () => answers[asked++] ?? "no" };
  const { session } = toolBench(tools, { root, policy: {}, ask });
  const call = { name: "remove", args: { path: "a" } };
  const offered = toLangChainTools(session);
  expect(await runAgent(offered, [call])).toMatchObject([{ status: "success", content: "removed a" }]);
  expect(await runAgent(offered, [call])).toMatchObject([{ status: "error" }]);
  expect([asked, ran]).toEqual([2, ["remove a"]]);
});

test("invoked with arguments alone, a tool gives its content and rejects with what went wrong", async () => {
  const { tools } = sampleTools();
  const { session } = toolBench(tools, { root, policy: { deny: ["remove"] } });
  const [add, , remove] = toLangChainTools(session);
  expect(await add?.invoke({ a: 1, b: 2 })).toBe('{"sum":3}');
  const error: unknown = await remove?.invoke({ path: "a" }).catch((thrown: unknown) => thrown);
  expect(isToolError(error) && [error.code, error.message]).toEqual([
    "permission_denied",
    expect.stringContaining("denied by the rule remove"),
  ]);
});

test("names, schemas, callbacks and the signal are as LangChain has them", async () => {
  const { tools } = sampleTools();
  const { session } = toolBench(tools, { root });
  const [plus, look] = toLangChainTools(session, { alias: { add: "plus" } });
  expect(plus).toMatchObject({
    name: "plus",
    description: "Add two numbers.",
    schema: { type: "object", required: ["a", "b"] },
  });
  const heard: string[] = [];
  const callbacks = [
    { handleToolStart: () => void heard.push("start"), handleToolEnd: () => void heard.push("end") },
  ];
  const call = { type: "tool_call", id: "c1", name: "plus", args: { a: 1, b: 2 } } as const;
  expect(await plus?.invoke(call, { callbacks })).toMatchObject({ tool_call_id: "c1", content: '{"sum":3}' });
  expect(heard).toEqual(["start", "end"]);
  const signal = AbortSignal.abort();
  expect(await look?.invoke({ ...call, args: {} }, { signal })).toMatchObject({
    status: "error",
    artifact: { error: { code: "cancelled" } },
  });
});
