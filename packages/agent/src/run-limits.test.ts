import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  textOf,
  type ToolCall,
  ToolError,
  ToolRegistry,
} from "@toycoder/core";
import { scriptedModel, type ScriptedTurn, type ScriptedTurnOrMaker, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentEvent } from "./event.ts";
import type { Limits } from "./limits.ts";
import { runAgent } from "./run-agent.ts";

let ticks = 0;
const tick = defineTool({
  name: "tick",
  description: "Counts.",
  input: z.object({ n: z.number().optional() }),
  execute: () => String(++ticks),
});
const fail = defineTool({
  name: "fail",
  description: "Fails.",
  input: z.object({ n: z.number().optional(), change: z.boolean().optional() }),
  execute: ({ change }, ctx) => {
    if (change === true)
      ctx.recordChange({ path: ctx.resolve("f"), before: null, after: Buffer.from(String(++ticks)) });
    throw new ToolError("broken", "it is broken");
  },
});
const sleep = defineTool({
  name: "sleep",
  description: "Waits until it is stopped.",
  input: z.object({}),
  execute: (_, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    }),
});

const call = (name: string, args: ToolCall["arguments"] = {}): ScriptedTurn => ({
  calls: [{ name, arguments: args }],
});
const calls = (count: number, name = "tick"): ScriptedTurn[] =>
  Array.from({ length: count }, () => call(name));

async function run(turns: readonly ScriptedTurnOrMaker[], limits: Limits = {}, facts = {}) {
  using folder = tempWorkspace();
  const registry = new ToolRegistry();
  registry.registerMany([tick, fail, sleep]);
  let noteChange: (change: object) => void = () => undefined;
  const workspace = createWorkspace({ root: folder.root });
  const policy = createPolicy({ root: folder.root });
  const session = createSession({ registry, workspace, policy, onChange: (change) => noteChange(change) });
  const changes = { onChange: (listener: typeof noteChange) => (noteChange = listener), summary: () => [] };
  const model = scriptedModel(turns, facts);
  const events: AgentEvent[] = [];
  for await (const event of runAgent({
    model,
    session,
    task: "Do it.",
    instructions: "",
    limits,
    changes: changes as never,
  }))
    events.push(event);
  const last = events.at(-1);
  if (last?.type !== "result") throw new Error("no result");
  const results = events.filter((event) => event.type === "tool_result");
  return { result: last.result, events, results, requests: model.requests };
}

/** The last thing that the model was told in a request. */
const lastWords = (
  requests: readonly { messages: readonly { role: string; content?: unknown }[] }[],
): string[] =>
  requests.map(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === "user" ? textOf(last.content as { type: string; text: string }[]) : "";
  });

describe("turns", () => {
  it("ends at the limit, whatever the model wants", async () => {
    const { result, requests } = await run(calls(9), { turns: 2 });
    expect(result).toMatchObject({ status: "limit", exitCode: 7, turns: 2, toolCalls: 2 });
    expect(result.error).toMatchObject({ code: "turn_limit", message: "the limit of 2 turns is reached" });
    expect(requests).toHaveLength(2);
  });

  it("asks for a last word in the last of many turns, and says that the limit ended the run", async () => {
    const { result, requests } = await run([...calls(5), { text: "Half is done." }], { turns: 6 });
    expect(result).toMatchObject({
      status: "limit",
      exitCode: 7,
      text: "Half is done.",
      turns: 6,
      toolCalls: 5,
    });
    expect(lastWords(requests).slice(1)).toEqual([
      "",
      "",
      "",
      "",
      expect.stringContaining("Answer now, without calls"),
    ]);
  });

  it("runs no call of a last word", async () => {
    const before = ticks;
    const { result, results } = await run(calls(9), { turns: 6 });
    expect(result).toMatchObject({ status: "limit", turns: 6, toolCalls: 5 });
    expect(ticks - before).toBe(5);
    expect(results.at(-1)).toMatchObject({ ok: false, code: "cancelled" });
  });

  it("is completed where the model ends by itself before the last turn", async () => {
    const { result } = await run([...calls(4), { text: "Done." }], { turns: 6 });
    expect(result).toMatchObject({ status: "completed", exitCode: 0, turns: 5 });
  });
});

it("runs no more calls than allowed, even in one answer, and then asks for a last word", async () => {
  const before = ticks;
  const three = { calls: [1, 2, 3].map((n) => ({ name: "tick", arguments: { n } })) };
  const { result, results, requests } = await run([three, { text: "Two of three." }], { toolCalls: 2 });
  expect(ticks - before).toBe(2);
  expect(results.filter(({ ok }) => ok)).toHaveLength(2);
  expect(result).toMatchObject({
    status: "limit",
    toolCalls: 2,
    text: "Two of three.",
    error: { code: "call_limit" },
  });
  expect(requests).toHaveLength(2);
});

it("keeps to the tokens: a last word while one more turn fits, then the end", async () => {
  const usage = { inputTokens: 90, outputTokens: 10 };
  const turns = calls(9).map((turn) => ({ ...turn, usage }));
  const { result, requests } = await run(turns, { tokens: 450 });
  expect(requests).toHaveLength(4);
  expect(lastWords(requests)[3]).toContain("Answer now");
  expect(result).toMatchObject({
    status: "limit",
    error: { code: "token_limit" },
    usage: { inputTokens: 360 },
  });
});

describe("cost", () => {
  const prices = { input: 1, output: 1 };

  it("is kept to", async () => {
    const turns = calls(9).map((turn) => ({ ...turn, costUsd: 0.1 }));
    const { result, requests } = await run(turns, { costUsd: 0.35 }, { prices });
    expect(requests).toHaveLength(3);
    expect(result).toMatchObject({ status: "limit", exitCode: 7, error: { code: "cost_limit" } });
    expect(result.usage.costUsd).toBeCloseTo(0.3, 9);
  });

  it("cannot be kept to where prices are not known: nothing is asked", async () => {
    const { result, requests } = await run([{ text: "x" }], { costUsd: 1 });
    expect(result).toMatchObject({ status: "config_error", exitCode: 3, error: { code: "cost_unknown" } });
    expect(requests).toHaveLength(0);
  });
});

describe("minutes", () => {
  it("stop a call that runs", async () => {
    const { result, results } = await run([call("sleep"), { text: "never" }], { minutes: 0.001 });
    expect(result).toMatchObject({ status: "limit", exitCode: 7, error: { code: "time_limit" } });
    expect(results[0]).toMatchObject({ ok: false, code: "cancelled" });
  });

  it("stop a model that does not answer", async () => {
    const { result } = await run([() => new Promise(() => undefined)], { minutes: 0.001 });
    expect(result).toMatchObject({ status: "limit", error: { code: "time_limit" } });
  });
});

describe("a model in circles", () => {
  it("is told at the third same failure, and stopped at the fourth", async () => {
    const { result, results } = await run(calls(9, "fail"));
    expect(results.map(({ content }) => textOf(content).includes("three times"))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(result).toMatchObject({
      status: "limit",
      exitCode: 7,
      turns: 4,
      error: { code: "repeated_call" },
    });
  });

  it("goes on where the arguments differ, the call succeeds, or a file changes in between", async () => {
    const differing = [1, 2, 3, 4, 5].map((n) => call("fail", { n }));
    const changing = [1, 2, 3, 4, 5].map(() => call("fail", { change: true }));
    const { result } = await run([...differing, ...calls(5), ...changing, { text: "Done." }]);
    expect(result).toMatchObject({ status: "completed", turns: 16 });
  });
});

describe("an empty answer", () => {
  it("is asked for once more", async () => {
    const { result, requests } = await run([call("tick"), {}, { text: "Done." }]);
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(lastWords(requests)[2]).toContain("Your answer was empty");
  });

  it("is the provider's error the second time", async () => {
    const { result } = await run([{}, { text: " \n" }]);
    expect(result).toMatchObject({ status: "provider_error", exitCode: 4, error: { code: "empty_answer" } });
  });
});
