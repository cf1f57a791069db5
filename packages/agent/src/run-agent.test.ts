import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  ModelError,
  type PolicyOptions,
  type Session,
  SetupError,
  type Tool,
  ToolRegistry,
} from "@toycoder/core";
import { scriptedModel, type ScriptedTurnOrMaker, tempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ChangeLog } from "./change-log.ts";
import type { AgentEvent } from "./event.ts";
import type { Limits } from "./limits.ts";
import type { RunResult } from "./result.ts";
import { runAgent } from "./run-agent.ts";

const echo = defineTool({
  name: "echo",
  description: "Gives a text back.",
  input: z.object({ text: z.string() }),
  execute: ({ text }) => text,
});
const save = defineTool({
  name: "save",
  description: "Writes a file.",
  permission: "sensitive",
  input: z.object({ path: z.string(), content: z.string() }),
  effects: ({ path }) => [{ kind: "write", path }],
  execute: ({ path, content }, ctx) => {
    const target = ctx.resolve(path);
    let before: Uint8Array | null = null;
    try {
      before = readFileSync(target.real);
    } catch {}
    writeFileSync(target.real, content);
    ctx.recordChange({ path: target, before, after: Buffer.from(content) });
    return "saved";
  },
});

let root = "";
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-agent-")));
});
afterAll(() => rmSync(root, { recursive: true }));

interface Setting {
  policy?: Omit<PolicyOptions, "root">;
  tools?: readonly Tool[];
  limits?: Limits;
  signal?: AbortSignal;
  onChange?: (log: ChangeLog) => void;
}

async function run(turns: readonly ScriptedTurnOrMaker[], setting: Setting = {}) {
  const registry = new ToolRegistry();
  registry.registerMany(setting.tools ?? [echo, save]);
  const workspace = createWorkspace({ root });
  const changes = new ChangeLog(path.join(root, ".session"));
  const session: Session = createSession({
    registry,
    workspace,
    policy: createPolicy({ root, ...setting.policy }),
    onChange: (change) => changes.record(change),
  });
  const model = scriptedModel(turns);
  const events: AgentEvent[] = [];
  const { limits, signal } = setting;
  const options = { model, session, task: "Do it.", instructions: "Be brief.", changes };
  for await (const event of runAgent({ ...options, ...(limits && { limits }), ...(signal && { signal }) })) {
    events.push(event);
  }
  const last = events.at(-1);
  if (last?.type !== "result") throw new Error("the last event is no result");
  return { result: last.result, events, model, session };
}

const call = (text: string) => ({ name: "echo", arguments: { text } });
const types = (events: readonly AgentEvent[]): string[] => events.map((event) => event.type);

describe("runAgent", () => {
  it("asks, calls side by side, gives results in call order, and ends", async () => {
    const { result, events, model } = await run([
      { text: "Look.", calls: [call("a"), call("b")], usage: { inputTokens: 10, outputTokens: 2 } },
      { text: "Done.", usage: { inputTokens: 20, outputTokens: 3 } },
    ]);
    expect(result).toMatchObject({
      schemaVersion: 1,
      status: "completed",
      exitCode: 0,
      text: "Done.",
      turns: 2,
      toolCalls: 2,
      usage: { inputTokens: 30, outputTokens: 5, costUsd: null },
      model: "scripted:test",
      error: null,
    });
    expect(types(events)).toEqual([
      "session_start",
      "user",
      "turn_start",
      "text_delta",
      "text",
      "tool_call",
      "tool_call",
      "usage",
      "decision",
      "decision",
      "tool_result",
      "tool_result",
      "turn_end",
      "turn_start",
      "text_delta",
      "text",
      "usage",
      "turn_end",
      "result",
    ]);
    expect(model.requests[1]?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text" }, { type: "tool_call" }, { type: "tool_call" }] },
      {
        role: "tool",
        results: [
          { callId: "call_0_0", ok: true },
          { callId: "call_0_1", ok: true },
        ],
      },
    ]);
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(["echo", "save"]);
  });

  it("stops at the turn limit", async () => {
    const { result, model } = await run([{ calls: [call("a")] }, { calls: [call("b")] }], {
      limits: { turns: 2 },
    });
    expect(result).toMatchObject({ status: "limit", exitCode: 7, turns: 2, error: { code: "turn_limit" } });
    expect(model.requests).toHaveLength(2);
  });

  it("goes on after a refusal and ends as denied, with the rule that lacks", async () => {
    const write = { name: "save", arguments: { path: "new.txt", content: "x\n" } };
    const { result } = await run([{ calls: [write] }, { text: "Could not." }]);
    expect(result).toMatchObject({
      status: "denied",
      exitCode: 6,
      text: "Could not.",
      changes: [],
      denials: [{ tool: "save", code: "approval_required", rule: null, suggestion: "save(./new.txt)" }],
    });
    const again = await run([{ calls: [write] }, { text: "Did." }], {
      policy: { allow: [result.denials[0]!.suggestion!] },
    });
    expect(again.result).toMatchObject({
      status: "completed",
      changes: [{ path: "new.txt", kind: "created", additions: 1, deletions: 0 }],
    });
  });

  it("stops at the first lacking rule with onAsk: stop", async () => {
    const write = { name: "save", arguments: { path: "new.txt", content: "" } };
    const { result, model } = await run([{ calls: [write] }, { text: "Never asked for." }], {
      policy: { onAsk: "stop" },
    });
    expect(result).toMatchObject({ status: "denied", exitCode: 6, turns: 1 });
    expect(model.requests).toHaveLength(1);
  });

  it("leaves the exit code alone where the policy forbids", async () => {
    const { result } = await run([{ calls: [call("a")] }, { text: "Done." }], { policy: { deny: ["echo"] } });
    expect(result).toMatchObject({
      exitCode: 0,
      denials: [{ tool: "echo", code: "permission_denied", rule: "echo", suggestion: null }],
    });
  });

  it("tells a model's, a set-up's and its own failure apart", async () => {
    const error = new ModelError("auth", "no key", { hint: "set one" });
    expect((await run([{ error }])).result).toMatchObject({
      status: "provider_error",
      exitCode: 4,
      error: { code: "auth", message: "no key", hint: "set one" },
    });
    const setup = new SetupError("replay_mismatch", "departs");
    expect((await run([{ error: setup }])).result).toMatchObject({ status: "config_error", exitCode: 3 });
    expect((await run([{ error: new TypeError("bug") }])).result).toMatchObject({
      status: "internal_error",
      exitCode: 1,
    });
    expect((await run([{ finish: "refusal" }])).result).toMatchObject({
      exitCode: 4,
      error: { code: "refused" },
    });
  });

  it("never runs a call of an answer that was cut off", async () => {
    const { result, model } = await run([{ calls: [call("a")], finish: "length" }, { text: "ok" }]);
    expect(result).toMatchObject({ status: "completed" });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ results: [{ ok: false, code: "cancelled" }] });
    const cut = await run([{ text: "half a sent", finish: "length" }]);
    expect(cut.result).toMatchObject({ status: "limit", exitCode: 7, text: "half a sent" });
  });

  it("is stopped in the model's call and in a tool, with the exit code that the reason names", async () => {
    const controller = new AbortController();
    const stopping = defineTool({
      name: "stopping",
      description: "Stops the run.",
      input: z.object({}),
      execute: () => {
        controller.abort({ exitCode: 143 });
        return new Promise<string>(() => {});
      },
    });
    const { result, events } = await run([{ calls: [{ name: "stopping", arguments: {} }] }], {
      tools: [stopping],
      signal: controller.signal,
    });
    expect(result).toMatchObject({ status: "cancelled", exitCode: 143 });
    expect(events.find((event) => event.type === "tool_result")).toMatchObject({
      ok: false,
      code: "cancelled",
    });
    const before = await run([{ text: "never" }], { signal: AbortSignal.abort() });
    expect(before.result).toMatchObject({ status: "cancelled", exitCode: 130 });
  });

  it("takes back what a retry made void", async () => {
    const model = {
      id: "flaky",
      async *stream() {
        yield { type: "text", text: "half" } as const;
        yield {
          type: "retry",
          attempt: 1,
          delayMs: 0,
          error: { code: "network", message: "reset" },
        } as const;
        yield { type: "text", text: "whole" } as const;
        yield { type: "finish", reason: "stop" } as const;
      },
    };
    const registry = new ToolRegistry();
    const workspace = createWorkspace({ root });
    const session = createSession({ registry, workspace, policy: createPolicy({ root }) });
    const events: AgentEvent[] = [];
    for await (const event of runAgent({ model, session, task: "x", instructions: "" })) events.push(event);
    expect(events.filter((event) => event.type === "text")).toMatchObject([{ text: "whole" }]);
    expect(types(events)).toContain("retry");
  });

  it("takes an answer without a finish for a failure", async () => {
    const model = {
      id: "short",
      async *stream() {
        yield { type: "text", text: "half" } as const;
      },
    };
    const workspace = createWorkspace({ root });
    const session = createSession({
      registry: new ToolRegistry(),
      workspace,
      policy: createPolicy({ root }),
    });
    let result: RunResult | undefined;
    for await (const event of runAgent({ model, session, task: "x", instructions: "" })) {
      if (event.type === "result") result = event.result;
    }
    expect(result).toMatchObject({ status: "provider_error", exitCode: 4, error: { code: "network" } });
  });
});

describe("ChangeLog", () => {
  it("tells the net change of each file", () => {
    using folder = tempWorkspace({ "a.txt": "1\n2\n3\n", "gone.txt": "x\n", "same.txt": "s\n" });
    const log = new ChangeLog(folder.path(".session"));
    const heard: unknown[] = [];
    log.onChange((change) => heard.push(change));
    const workspace = createWorkspace({ root: folder.root });
    const write = (name: string, after: string | null): void => {
      const target = workspace.resolve(name);
      let before: Uint8Array | null = null;
      try {
        before = readFileSync(target.real);
      } catch {}
      if (after === null) unlinkSync(target.real);
      else folder.write(name, after);
      log.record({ path: target, before, after: after === null ? null : Buffer.from(after) });
    };
    write("a.txt", "1\ntwo\n3\n");
    write("a.txt", "1\ntwo\n3\n4\n");
    write("gone.txt", null);
    write("new.txt", "n");
    write("same.txt", "other\n");
    write("same.txt", "s\n");
    expect(log.summary()).toEqual([
      { path: "a.txt", kind: "modified", additions: 2, deletions: 1 },
      { path: "gone.txt", kind: "deleted", additions: 0, deletions: 1 },
      { path: "new.txt", kind: "created", additions: 1, deletions: 0 },
    ]);
    expect(heard).toHaveLength(6);
    expect(heard[1]).toEqual({
      path: "a.txt",
      kind: "modified",
      additions: 1,
      deletions: 0,
      before: "before/2",
      file: folder.path("a.txt"),
      after: createHash("sha256").update("1\ntwo\n3\n4\n").digest("hex"),
    });
    expect(folder.read(".session/before/1")).toBe("1\n2\n3\n");
  });
});
