import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  type Model,
  NO_USAGE,
  ToolRegistry,
} from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import type { AgentEvent } from "./event.ts";
import { Budget } from "./limits.ts";
import { runAgent } from "./run-agent.ts";

const tick = defineTool({
  name: "tick",
  description: "Does nothing.",
  input: z.object({}),
  execute: () => "ok",
});

/** Answers a turn for each cost, with a call in all but the last. A retry makes void what each began with. */
function modelOf(costs: readonly (number | undefined)[]): Model {
  let turn = 0;
  return {
    id: "test:costs",
    async *stream() {
      const costUsd = costs[turn++];
      yield { type: "usage", usage: { ...NO_USAGE, inputTokens: 1000 }, costUsd: 1000 };
      yield { type: "retry", attempt: 1, delayMs: 0, error: { code: "network", message: "reset" } };
      if (turn < costs.length) {
        yield { type: "tool_call", call: { id: `call_${turn}`, name: "tick", arguments: {} } };
      } else yield { type: "text", text: "Done." };
      yield { type: "usage", usage: { ...NO_USAGE, inputTokens: 10 }, costUsd };
      yield await Promise.resolve({ type: "finish", reason: turn < costs.length ? "tool_calls" : "stop" });
    },
  };
}

async function run(model: Model): Promise<{ cost: number | null; events: (number | null)[] }> {
  using folder = tempWorkspace();
  const registry = new ToolRegistry();
  registry.register(tick);
  const workspace = createWorkspace({ root: folder.root });
  const session = createSession({ registry, workspace, policy: createPolicy({ root: folder.root }) });
  const events: AgentEvent[] = [];
  for await (const event of runAgent({ model, session, task: "x", instructions: "" })) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "result") throw new Error("no result");
  return {
    cost: last.result.usage.costUsd,
    events: events.flatMap((event) => (event.type === "usage" ? [event.costUsd] : [])),
  };
}

it("sums the turns' costs", async () => {
  const { cost, events } = await run(modelOf([0.1, 0.2, 0.0000001]));
  expect(cost).toBeCloseTo(0.3000001, 12);
  expect(events).toEqual([0.1, 0.2, 0.0000001]);
});

it("knows no total where one turn's cost is not known", async () => {
  const { cost, events } = await run(modelOf([0.1, undefined, 0.2]));
  expect(cost).toBeNull();
  expect(events).toEqual([0.1, null, 0.2]);
});

it("tells what is free from what is not known", async () => {
  expect((await run(modelOf([0]))).cost).toBe(0);
  expect((await run(modelOf([undefined]))).cost).toBeNull();
});

it("knows no cost of a run that no turn was answered in", () => {
  expect(new Budget().costUsd).toBeNull();
});
