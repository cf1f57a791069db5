import { existsSync } from "node:fs";
import { defineTool, type Model, type ModelEvent } from "@toycoder/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { hasProgram } from "./has-program.ts";
import { scriptedModel } from "./scripted-model.ts";
import { tempWorkspace } from "./temp-workspace.ts";
import { runTool, toolBench } from "./tool-bench.ts";

const greet = defineTool({
  name: "greet",
  description: "Greets.",
  permission: "dangerous",
  input: z.object({ name: z.string() }),
  execute: ({ name }) => `Hello ${name}`,
});

async function eventsOf(model: Model): Promise<ModelEvent[]> {
  const { signal } = new AbortController();
  return await Array.fromAsync(model.stream({ instructions: "", messages: [], tools: [] }, { signal }));
}

describe("scriptedModel", () => {
  it("plays its turns, keeps the requests, and fails beyond its end", async () => {
    const model = scriptedModel([
      { text: "a", calls: [{ name: "x", arguments: {} }] },
      ({ messages }) => ({ text: `${messages.length}` }),
    ]);
    expect(await eventsOf(model)).toMatchObject([
      { type: "text", text: "a" },
      { type: "tool_call", call: { id: "call_0_0", name: "x" } },
      { type: "usage" },
      { type: "finish", reason: "tool_calls" },
    ]);
    expect(await eventsOf(model)).toMatchObject([{ text: "0" }, { type: "usage" }, { reason: "stop" }]);
    expect(model.requests).toHaveLength(2);
    await expect(eventsOf(model)).rejects.toThrow("the script has 2 turns; turn 3 was asked for");
  });
});

describe("tempWorkspace", () => {
  it("makes files and is gone after its block", () => {
    let root = "";
    {
      using folder = tempWorkspace({ "a/b.txt": "x", "c.bin": new Uint8Array([0, 255]) });
      root = folder.root;
      expect(folder.read("a/b.txt")).toBe("x");
    }
    expect(existsSync(root)).toBe(false);
  });
});

describe("toolBench", () => {
  it("calls through the real dispatch, every level allowed unless a policy says else", async () => {
    using folder = tempWorkspace();
    expect(await runTool(greet, { name: "Ada" }, { root: folder.root })).toMatchObject({
      ok: true,
      output: "Hello Ada",
    });
    const bench = toolBench([greet], { root: folder.root, policy: { deny: ["greet"] } });
    expect(await bench.call("greet", '{"name":"Ada"}')).toMatchObject({
      error: { code: "permission_denied" },
    });
    expect(bench.events).toHaveLength(1);
  });
});

describe("hasProgram", () => {
  it("looks in PATH", () => {
    expect(hasProgram("node")).toBe(true);
    expect(hasProgram("no-such-program-anywhere")).toBe(false);
  });
});
