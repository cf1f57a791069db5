import { setImmediate } from "node:timers/promises";
import { createPolicy, createSession, createWorkspace, defineTool, ToolRegistry } from "@toycoder/core";
import { scriptedModel, tempWorkspace } from "@toycoder/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EventChannel } from "./event-channel.ts";
import { runAgent } from "./run-agent.ts";

describe("taken", () => {
  it("resolves when the consumer has dealt with what was pushed, or reads no more", async () => {
    const channel = new EventChannel<number>();
    const seen: string[] = [];
    const consume = async (): Promise<void> => {
      for await (const item of channel) {
        await setImmediate();
        seen.push(`got ${item}`);
        if (item === 3) break;
      }
    };
    const consumed = consume();
    for (const item of [1, 2]) {
      channel.push(item);
      await channel.taken();
      seen.push(`taken ${item}`);
    }
    await channel.taken();
    channel.push(3);
    await channel.taken();
    await consumed;
    await channel.taken();
    expect(seen).toEqual(["got 1", "taken 1", "got 2", "taken 2", "got 3"]);
  });

  it("keeps every call back until the whole answer was dealt with", async () => {
    using folder = tempWorkspace();
    const seen: string[] = [];
    const registry = new ToolRegistry();
    registry.register(
      defineTool({
        name: "act",
        description: "Acts.",
        input: z.object({}),
        execute: () => void seen.push("ran"),
      }),
    );
    const workspace = createWorkspace({ root: folder.root });
    const session = createSession({ registry, workspace, policy: createPolicy({ root: folder.root }) });
    const model = scriptedModel([{ calls: [{ name: "act", arguments: {} }] }, { text: "Done." }]);
    for await (const { type } of runAgent({ model, session, task: "x", instructions: "" })) {
      for (let round = 0; round < 5; round++) await setImmediate();
      seen.push(type);
    }
    expect(seen.slice(0, seen.indexOf("tool_result"))).toEqual([
      "session_start",
      "user",
      "turn_start",
      "tool_call",
      "usage",
      "ran",
      "decision",
    ]);
  });
});
