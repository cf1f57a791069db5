import { createPolicy, createSession, createWorkspace, defineTool, ToolRegistry } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { generateText, isStepCount, streamText, type ToolSet } from "ai";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { playedModel, toldResults } from "../test-support/played-model.ts";
import { PIXEL, sampleTools } from "../test-support/sample-tools.ts";
import { toAiSdkTools } from "./to-ai-sdk-tools.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
const { root } = folder;

const generate = (model: ReturnType<typeof playedModel>, tools: ToolSet) =>
  generateText({ model, tools, prompt: "go", stopWhen: isStepCount(3) });

test("generateText runs our tools through dispatch, and gets their output and content", async () => {
  const { tools, ran } = sampleTools();
  const { session } = toolBench(tools, { root });
  const model = playedModel([
    { name: "add", input: '{"a":1,"b":"2"}' },
    { name: "look", input: "{}" },
  ]);
  const { text, steps } = await generate(model, toAiSdkTools(session));
  expect(text).toBe("done");
  expect(ran).toEqual(["add", "look"]);
  const outputs = steps[0]?.toolResults.map(({ output }) => (output as { output: unknown }).output);
  expect(outputs).toEqual([{ sum: 3 }, { width: 1 }]);
  expect(toldResults(model)).toEqual([
    { type: "content", value: [{ type: "text", text: '{"sum":3}' }] },
    {
      type: "content",
      value: [
        { type: "text", text: "a pixel" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: PIXEL } },
      ],
    },
  ]);
  expect(model.doGenerateCalls[0]?.tools?.map((tool) => tool.name)).toEqual(["add", "look", "remove"]);
});

test("a denied call does not run, the model sees why, and the loop goes on", async () => {
  const { tools, ran } = sampleTools();
  const policy = { allow: ["remove(tmp/**)"], deny: ["remove(src/**)"] };
  const { session } = toolBench(tools, { root, policy });
  const model = playedModel([
    { name: "remove", input: '{"path":"src/a.ts"}' },
    { name: "remove", input: '{"path":"b.ts"}' },
    { name: "remove", input: '{"path":"../outside"}' },
    { name: "remove", input: '{"path":"tmp/x"}' },
    { name: "add", input: '{"a":1}' },
  ]);
  const { text, steps } = await generate(model, toAiSdkTools(session));
  expect(text).toBe("done");
  expect(ran).toEqual(["remove tmp/x"]);
  const told = toldResults(model) as { type: string; value: unknown }[];
  expect(told.map(({ type }) => type)).toEqual([
    "error-text",
    "error-text",
    "error-text",
    "content",
    "error-text",
  ]);
  expect(told[0]?.value).toBe(
    "Error (permission_denied): denied by the rule remove(src/**)\nHint: this is settled; do not try it another way",
  );
  expect(told[1]?.value).toContain("Error (approval_required)");
  expect(told[1]?.value).toContain("remove(./b.ts)");
  expect(told[2]?.value).toContain("Error (outside_workspace)");
  expect(told[4]?.value).toContain("Error (invalid_arguments): b: ");
  const codes = steps[0]?.content.flatMap((part) =>
    part.type === "tool-error" ? [(part.error as { code: string }).code] : [],
  );
  expect(codes).toEqual(["permission_denied", "approval_required", "outside_workspace", "invalid_arguments"]);
});

test("what asks is asked through the session, and an answer counts for the calls after it", async () => {
  const { tools, ran } = sampleTools();
  const asked: string[] = [];
  const { session } = toolBench(tools, {
    root,
    policy: {},
    ask: {
      approval: async ({ input }) => (asked.push(JSON.stringify(input)), asked.length > 1 ? "no" : "always"),
    },
  });
  const offered = toAiSdkTools(session);
  await generate(playedModel([{ name: "remove", input: '{"path":"a"}' }]), offered);
  await generate(playedModel([{ name: "remove", input: '{"path":"a"}' }]), offered);
  const model = playedModel([{ name: "remove", input: '{"path":"b"}' }]);
  await generate(model, offered);
  expect(asked).toEqual(['{"path":"a"}', '{"path":"b"}']);
  expect(ran).toEqual(["remove a", "remove a"]);
  expect(toldResults(model)).toMatchObject([
    { type: "error-text", value: expect.stringContaining("said no") },
  ]);
});

test("disabled tools are not offered, aliases and active versions are, and decisions are heard", async () => {
  const registry = new ToolRegistry();
  const versioned = (version: string) =>
    defineTool({
      name: "which",
      version,
      description: "Which?",
      input: z.object({}),
      execute: () => version,
    });
  const off = defineTool({
    name: "off",
    description: "Off.",
    input: z.object({}),
    permission: "dangerous",
    execute: () => 1,
  });
  registry.registerMany([versioned("1.0.0"), versioned("2.0.0"), off] as never);
  registry.activate("which", "1.0.0");
  const workspace = createWorkspace({ root });
  const session = createSession({ registry, policy: createPolicy({ root }), workspace });
  const decisions: unknown[] = [];
  const tools = toAiSdkTools(session, {
    alias: { which: "Which" },
    observe: (event) => void decisions.push([event.type, event.tool]),
  });
  expect(Object.keys(tools)).toEqual(["Which"]);
  const model = playedModel([{ name: "Which", input: "" }]);
  await generate(model, tools);
  expect(toldResults(model)).toMatchObject([{ value: [{ type: "text", text: "1.0.0" }] }]);
  expect(decisions).toEqual([["decision", "which"]]);
  session.disable("which");
  const later = playedModel([{ name: "Which", input: "{}" }]);
  await generate(later, tools);
  expect(toldResults(later)).toMatchObject([
    { type: "error-text", value: expect.stringContaining("tool_disabled") },
  ]);
  expect(() =>
    toAiSdkTools(toolBench(sampleTools().tools, { root }).session, { alias: { add: "look" } }),
  ).toThrow("two tools would be offered as look");
});

test("the abort signal reaches the tool", async () => {
  const stop = new AbortController();
  let aborted = false;
  const wait = defineTool({
    name: "wait",
    description: "Wait.",
    input: z.object({}),
    execute: async (_, { signal }) => {
      const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      stop.abort();
      await ended;
      aborted = true;
    },
  });
  const { session } = toolBench([wait], { root });
  const model = playedModel([{ name: "wait", input: "{}" }]);
  const run = generateText({ model, tools: toAiSdkTools(session), prompt: "go", abortSignal: stop.signal });
  await run.catch(() => {});
  expect(aborted).toBe(true);
});

test("credentials stay out of the output, and what JSON can't hold is null", async () => {
  const tools = [
    defineTool({
      name: "leak",
      description: "Leak.",
      input: z.object({}),
      execute: () => ({ key: "s3cret-value" }),
    }),
    defineTool({ name: "big", description: "Big.", input: z.object({}), execute: () => ({ n: 1n }) }),
  ] as never;
  const { session } = toolBench(tools, { root, credentials: { KEY: "s3cret-value" } });
  const model = playedModel([
    { name: "leak", input: "{}" },
    { name: "big", input: "{}" },
  ]);
  const { steps } = await generate(model, toAiSdkTools(session));
  expect(JSON.stringify([steps[0]?.toolResults, toldResults(model)])).not.toContain("s3cret-value");
  expect(steps[0]?.toolResults[1]?.output).toMatchObject({ output: null, content: [{ text: '{"n":"1"}' }] });
});

test("streamText tells the same", async () => {
  const { tools, ran } = sampleTools();
  const { session } = toolBench(tools, { root, policy: { deny: ["remove"] } });
  const chunk = { type: "tool-call", toolCallId: "1", toolName: "remove", input: '{"path":"a"}' } as const;
  const finish = {
    type: "finish",
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  } as never;
  const model = playedModel([], {
    doStream: async () => ({ stream: ReadableStream.from([chunk, finish]) as never }),
  });
  const parts: unknown[] = [];
  for await (const part of streamText({ model, tools: toAiSdkTools(session), prompt: "go" }).fullStream) {
    if (part.type === "tool-error") parts.push((part.error as Error).message);
  }
  expect(ran).toEqual([]);
  expect(parts).toEqual([expect.stringContaining("denied by the rule remove")]);
});
