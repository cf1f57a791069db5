import type { Model, ModelEvent, ModelRequest, Tool } from "@toycoder/core";
import { tempWorkspace } from "@toycoder/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replayModel } from "./replay-model.ts";

let folder: ReturnType<typeof tempWorkspace>;
let file: string;

beforeEach(() => {
  const line = (type: string, more: object): string => JSON.stringify({ v: 1, type, ...more });
  folder = tempWorkspace({
    "c.jsonl": [
      line("turn_start", { tools: ["a"] }),
      line("tool_call", { callId: "1", name: "a", arguments: {} }),
      line("turn_end", { finish: "tool_calls" }),
      line("tool_result", { callId: "1", name: "a", ok: true }),
      line("turn_start", { tools: ["a"] }),
      line("text", { text: "done" }),
      line("turn_end", { finish: "stop" }),
    ].join("\n"),
  });
  file = folder.path("c.jsonl");
});
afterEach(() => folder[Symbol.dispose]());

const FAILED: ModelRequest["messages"] = [
  { role: "tool", results: [{ callId: "1", name: "a", ok: false, code: "timeout", content: [] }] },
];

const ask = (
  model: Model,
  tools: string[],
  messages: ModelRequest["messages"] = [],
): Promise<ModelEvent[]> => {
  const offered = tools.map((name) => ({ name }) as Tool);
  const { signal } = new AbortController();
  return Array.fromAsync(model.stream({ instructions: "", messages, tools: offered }, { signal }));
};

describe("a replay that is told of departures", () => {
  it("goes on, and tells each one", async () => {
    const told: string[] = [];
    const model = replayModel(file, { onDeparture: (departure) => void told.push(departure) });
    expect(await ask(model, ["b"])).toContainEqual({
      type: "tool_call",
      call: { id: "1", name: "a", arguments: {} },
    });
    expect(await ask(model, ["a"], FAILED)).toContainEqual({ type: "text", text: "done" });
    expect(told).toEqual([
      `the run departs from its cassette in turn 1: the tools are offered without a\nand with b\n  ${file}\n  line 1  offers a\n  now     offers b`,
      `the run departs from its cassette in turn 1: call 1 came out otherwise\n  ${file}\n  line 4  a → ok\n  now     a → timeout`,
    ]);
  });

  it("says nothing where nothing departs", async () => {
    const told: string[] = [];
    await ask(replayModel(file, { onDeparture: (departure) => void told.push(departure) }), ["a"]);
    expect(told).toEqual([]);
  });

  it("still fails where the recording ends before the run", async () => {
    const model = replayModel(file, { onDeparture: () => {} });
    await ask(model, ["a"]);
    await ask(model, ["a"], FAILED);
    await expect(ask(model, ["a"])).rejects.toMatchObject({ code: "replay_mismatch" });
  });
});

it("shows long lists in 80 columns, what differs first", async () => {
  const many = Array.from({ length: 20 }, (_, index) => `tool_number_${index}`);
  const told: string[] = [];
  await ask(replayModel(file, { onDeparture: (departure) => void told.push(departure) }), many);
  const lines = told.join("").replace(file, "c.jsonl").split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
  expect(lines.join(" ")).toContain("offered without a and with tool_number_0,");
});
