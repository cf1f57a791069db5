import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { defineTool, dispatch, fail, type Model, ModelError, textOf, type Tool } from "@toycoder/core";
import { type ScriptedTurn, tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ChangeLog } from "./change-log.ts";
import { isDelta } from "./event.ts";
import { sessionHistory } from "./session-history.ts";
import { conversations, firstWords } from "./test-support/conversations.ts";
import { eventsOf, say, type Setting, work } from "./test-support/work.ts";

let folder: TempWorkspace;
beforeAll(() => {
  folder = tempWorkspace();
});
afterAll(() => folder.dispose());

const task = (prompt: string, more: object = {}) => ({
  name: "task",
  arguments: { description: prompt, prompt, ...more },
  id: `task_${prompt}`,
});
const call = (name: string, args: object = {}) => ({ name, arguments: { ...args } });

const POLICY = { allow: ["task"] };
const run = (model: Model, setting: Setting = {}, onEvent?: Parameters<typeof work>[3]) =>
  work(folder.root, model, { tools: [say("look"), say("other")], policy: POLICY, ...setting }, onEvent);

describe("a subagent", () => {
  it("works in a conversation of its own, and its last answer is the call's result", async () => {
    const model = conversations({
      "Do it.": [{ calls: [task("Look.")], usage: { inputTokens: 10 } }, { text: "All seen." }],
      "Look.": [
        { text: "Looking.", calls: [call("look")], usage: { inputTokens: 5 } },
        { text: "I saw it." },
      ],
    });
    const { result, events } = await run(model);
    expect(result).toMatchObject({
      status: "completed",
      text: "All seen.",
      turns: 4,
      toolCalls: 2,
      denials: [],
    });
    expect(result.usage.inputTokens).toBe(15);
    expect(model.requests[1]).toMatchObject({
      instructions: expect.stringMatching(/^Be brief\.\n\nYou are a subagent/),
      messages: [{ role: "user", content: [{ text: "Look." }] }],
    });
    expect(model.requests[1]!.tools.map(({ name }) => name)).toEqual(["look", "other"]);
    expect(model.requests[3]!.messages.at(-1)).toMatchObject({
      results: [{ callId: "task_Look.", ok: true, content: [{ text: "I saw it." }] }],
    });
    const nested = events.filter((event) => event.parent !== undefined && !isDelta(event));
    expect(new Set(nested.map(({ parent }) => parent))).toEqual(new Set(["task_Look."]));
    expect(nested.map(({ type }) => type)).toEqual([
      "user",
      "turn_start",
      "text",
      "tool_call",
      "usage",
      "decision",
      "tool_result",
      "turn_end",
      "turn_start",
      "text",
      "usage",
      "turn_end",
    ]);
    expect(eventsOf(events, "session_start")).toHaveLength(1);
    expect(eventsOf(events, "result")).toHaveLength(1);
  });

  it("is there only where a rule or the config enables it", async () => {
    const model = conversations({ "Do it.": [{ calls: [task("Look.")] }, { text: "No." }] });
    const { result } = await run(model, { policy: {} });
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(["look", "other"]);
    expect(result.denials).toMatchObject([{ tool: "task", code: "tool_disabled" }]);
    const { result: asked } = await run(
      conversations({ "Do it.": [{ calls: [task("Look.")] }, { text: "No." }] }),
      {
        policy: {},
        session: { enable: ["task"] },
      },
    );
    expect(asked.denials).toMatchObject([{ tool: "task", code: "approval_required" }]);
  });

  it("has the tools that it is given, and no others run", async () => {
    const model = conversations({
      "Do it.": [
        { calls: [task("Look.", { tools: ["look"] }), task("Bad.", { tools: ["task", "nothing"] })] },
        { text: "ok" },
      ],
      "Look.": [{ calls: [call("other"), call("task"), call("look")] }, { text: "Done." }],
    });
    const { events, result } = await run(model);
    expect(result.status).toBe("completed");
    const child = model.requests.find((request) => firstWords(request) === "Look.");
    expect(child!.tools.map(({ name }) => name)).toEqual(["look"]);
    const results = eventsOf(events, "tool_result");
    const outcome = (name: string) =>
      results.find((event) => event.name === name && event.parent !== undefined);
    expect(outcome("other")).toMatchObject({ ok: false, code: "unknown_tool" });
    expect(outcome("task")).toMatchObject({ ok: false, code: "unknown_tool" });
    expect(outcome("look")).toMatchObject({ ok: true });
    const bad = results.find(({ callId }) => callId === "task_Bad.");
    expect(bad).toMatchObject({ ok: false, code: "invalid_arguments" });
    expect(textOf(bad!.content)).toContain("a subagent cannot have task, nothing");
  });

  it("has the permissions of its parent, and what it was refused is told to both", async () => {
    const model = conversations({
      "Do it.": [{ calls: [task("Look.")] }, { text: "ok" }],
      "Look.": [{ calls: [call("look"), call("write"), call("other")] }, { text: "Could not write." }],
    });
    const write = defineTool({
      name: "write",
      description: "Writes.",
      permission: "sensitive",
      input: z.object({}),
      execute: () => "written",
    }) as Tool;
    const { result, events } = await run(model, {
      tools: [say("look"), say("other"), write],
      policy: { ...POLICY, deny: ["other"] },
    });
    expect(result).toMatchObject({
      status: "denied",
      exitCode: 6,
      denials: [
        { tool: "write", code: "approval_required", suggestion: "write" },
        { tool: "other", code: "permission_denied" },
      ],
    });
    const given = eventsOf(events, "tool_result").find(({ name }) => name === "task");
    expect(textOf(given!.content)).toBe(
      'Could not write.\n[calls of the subagent that were refused: write: approval_required, permissions.allow would need "write"; other: permission_denied]',
    );
  });
});

describe("the limits", () => {
  it("count parent and subagents together, and the last word is the parent's", async () => {
    const looks = Array.from({ length: 20 }, (_, at) => ({ text: `look ${at}`, calls: [call("look")] }));
    const model = conversations({
      "Do it.": [{ calls: [task("Look.")] }, { text: "Half done." }],
      "Look.": looks,
    });
    const { result, events } = await run(model, { limits: { turns: 6 } });
    expect(result).toMatchObject({
      status: "limit",
      exitCode: 7,
      turns: 6,
      text: "Half done.",
      error: { code: "turn_limit" },
    });
    expect(model.requests).toHaveLength(6);
    const given = eventsOf(events, "tool_result").find(({ name }) => name === "task");
    expect(given).toMatchObject({ ok: false, code: "turn_limit" });
    expect(textOf(given!.content)).toContain("What it said last: look 3");
  });

  it("of tokens and of calls, too", async () => {
    const turns = [
      { calls: [call("look")], usage: { inputTokens: 500 } },
      { text: "x", usage: { inputTokens: 600 } },
    ];
    const scripts = { "Do it.": [{ calls: [task("Look.")] }, { text: "Last." }], "Look.": turns };
    const tokens = await run(conversations(scripts), { limits: { tokens: 1000 } });
    expect(tokens.result).toMatchObject({ status: "limit", error: { code: "token_limit" } });
    const calls = await run(conversations(scripts), { limits: { toolCalls: 1 } });
    expect(calls.result).toMatchObject({ status: "limit", error: { code: "call_limit" }, toolCalls: 1 });
  });
});

describe("what goes wrong", () => {
  it("at the provider fails the call, and the parent goes on", async () => {
    const model = conversations({
      "Do it.": [{ calls: [task("Look.")] }, { text: "Without it." }],
      "Look.": [
        { calls: [call("look")] },
        { error: new ModelError("overloaded", "busy", { hint: "later" }) },
      ],
    });
    const { result, events } = await run(model);
    expect(result).toMatchObject({ status: "completed", text: "Without it." });
    const given = eventsOf(events, "tool_result").find(({ name }) => name === "task");
    expect(given).toMatchObject({ ok: false, code: "overloaded" });
    expect(textOf(given!.content)).toContain("the subagent ended as provider_error: busy");
  });

  it("a stopped run stops it at once, ends with the result, and leaves no process", async () => {
    const children: ChildProcess[] = [];
    const controller = new AbortController();
    const sleep = defineTool({
      name: "sleep",
      description: "Sleeps.",
      input: z.object({}),
      execute: async (_, { signal }) => {
        const child = spawn("sleep", ["7305"], { signal });
        child.on("error", () => {});
        children.push(child);
        await once(child, "spawn");
        controller.abort();
        await new Promise<never>(() => {});
        return "";
      },
    }) as Tool;
    const model = conversations({
      "Do it.": [{ calls: [task("Look.")] }],
      "Look.": [{ calls: [call("sleep")] }],
    });
    // It takes longer to end than its parent.
    const hooks = [
      {
        afterToolCall: async ({ tool }: { tool: Tool }) => {
          if (tool.name === "sleep") await new Promise((resolve) => setImmediate(resolve));
        },
      },
    ];
    const setting = { tools: [sleep], signal: controller.signal, session: { hooks } };
    const { result, events } = await run(model, setting);
    expect(result.status).toBe("cancelled");
    expect(events.at(-1)!.type).toBe("result");
    const nested = eventsOf(events, "tool_result").find(({ parent }) => parent !== undefined);
    expect(nested).toMatchObject({ name: "sleep", code: "cancelled" });
    const [child] = children;
    if (child!.exitCode === null && child!.signalCode === null) await once(child!, "exit");
    expect(child!.signalCode).toBe("SIGTERM");
  });

  it("killed in the middle, the session goes on with the call as uncertain, and without the subagent's lines", async () => {
    const model = conversations({
      "Do it.": [{ calls: [task("Look.")] }, { text: "ok" }],
      "Look.": [{ text: "Hm.", calls: [call("look")] }, { text: "Seen." }],
    });
    const { events } = await run(model);
    const at = events.findIndex(({ type, parent }) => type === "tool_result" && parent !== undefined);
    const killed = sessionHistory(events.slice(0, at + 1));
    expect(killed.uncertain).toMatchObject([{ name: "task", callId: "task_Look.", code: "uncertain" }]);
    expect(killed.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(JSON.stringify(killed.messages)).not.toContain("Hm.");
    expect(sessionHistory(events).messages).toEqual([
      ...model.requests[3]!.messages,
      { role: "assistant", content: [{ type: "text", text: "ok" }] },
    ]);
  });

  it("in circles, unless something changes in between", async () => {
    const fails = defineTool({
      name: "fails",
      description: "Fails.",
      input: z.object({}),
      execute: () => fail("broken", "it is broken"),
    }) as Tool;
    const touch = defineTool({
      name: "touch",
      description: "Changes a file.",
      input: z.object({}),
      execute: (_, ctx) => {
        ctx.recordChange({ path: ctx.resolve("a.txt"), before: null, after: Buffer.from("a") });
        return "touched";
      },
    }) as Tool;
    const changes = new ChangeLog(folder.path(".session"));
    const setting: Setting = {
      tools: [fails, touch],
      changes,
      session: { onChange: (change) => changes.record(change) },
    };
    const script = (calls: ScriptedTurn["calls"]) => ({
      "Do it.": [{ calls: [task("Look.")] }, { text: "ok" }],
      "Look.": [...Array.from({ length: 6 }, () => ({ calls: calls! })), { text: "Gave up." }],
    });
    const outcome = async (calls: ScriptedTurn["calls"]) => {
      const { events } = await run(conversations(script(calls)), setting);
      return eventsOf(events, "tool_result").find(({ name }) => name === "task");
    };
    expect(await outcome([call("fails")])).toMatchObject({ ok: false, code: "repeated_call" });
    expect(await outcome([call("fails"), call("touch")])).toMatchObject({ ok: true });
  });

  it("called by hand, outside of a run, it says so", async () => {
    const { session } = await run(conversations({ "Do it.": [{ text: "ok" }] }));
    session.state("agent:run").clear();
    const outside = await dispatch({ ...task("Look."), id: "c1" }, session);
    expect(outside).toMatchObject({ ok: false, error: { code: "no_run" } });
  });
});

describe("several at once", () => {
  it("never write one file at the same time", async () => {
    let inside = 0;
    const overlaps: number[] = [];
    const edit = defineTool({
      name: "edit",
      description: "Edits a file.",
      permission: "sensitive",
      input: z.object({ path: z.string() }),
      effects: ({ path }) => [{ kind: "write", path }],
      execute: async () => {
        overlaps.push(inside++);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
        return "edited";
      },
    }) as Tool;
    const edits = { calls: [call("edit", { path: "a.txt" }), call("edit", { path: "./a.txt" })] };
    const model = conversations({
      "Do it.": [{ calls: [task("One."), task("Two.")] }, { text: "ok" }],
      "One.": [edits, { text: "done" }],
      "Two.": [edits, { text: "done" }],
    });
    const { result } = await run(model, { tools: [edit], policy: { allow: ["task", "edit(a.txt)"] } });
    expect(result.status).toBe("completed");
    expect(overlaps).toEqual([0, 0, 0, 0]);
  });

  it("run side by side, eight at most, an exclusive call of one alone among all", async () => {
    const meeting = Promise.withResolvers<void>();
    let waiting = 0;
    const meet = defineTool({
      name: "meet",
      description: "Waits for all the others.",
      input: z.object({}),
      execute: async () => {
        if (++waiting === 8) meeting.resolve();
        await meeting.promise;
        return "met";
      },
    }) as Tool;
    let inside = 0;
    const alone = defineTool({
      name: "alone",
      description: "Is alone.",
      concurrency: "exclusive",
      input: z.object({}),
      execute: async () => {
        const others = inside++;
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
        return `${others} others`;
      },
    }) as Tool;
    const names = Array.from({ length: 9 }, (_, at) => `Part ${at}`);
    const model = conversations({
      "Do it.": [{ calls: names.map((name) => task(name)) }, { text: "ok" }],
      ...Object.fromEntries(
        names.map((name) => [
          name,
          [{ calls: [call("meet")] }, { calls: [call("alone")] }, { text: `${name} done` }],
        ]),
      ),
    });
    const { result, events } = await run(model, { tools: [meet, alone] });
    expect(result.status).toBe("completed");
    const results = eventsOf(events, "tool_result");
    const tasks = names.map((name) => results.find(({ callId }) => callId === `task_${name}`));
    expect(tasks.slice(0, 8).map((given) => textOf(given!.content))).toEqual(
      names.slice(0, 8).map((name) => `${name} done`),
    );
    expect(tasks[8]).toMatchObject({ ok: false, code: "too_many" });
    expect(results.filter(({ name }) => name === "alone").map(({ content }) => textOf(content))).toEqual(
      Array.from({ length: 8 }, () => "0 others"),
    );
  });
});
