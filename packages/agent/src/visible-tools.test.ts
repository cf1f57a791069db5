import { defineTool, textOf, type Tool, ToolRegistry } from "@toycoder/core";
import { scriptedModel, tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { registerAgentTools } from "./agent-tools.ts";
import { eventsOf, say, type Setting, work } from "./test-support/work.ts";

let folder: TempWorkspace;
beforeAll(() => {
  folder = tempWorkspace();
});
afterAll(() => folder.dispose());

const weather = defineTool({
  name: "zz_weather",
  description: "Tells the weather of a city. 查询天气",
  input: z.object({ city: z.string(), days: z.number().optional() }),
  execute: ({ city }) => `sunny in ${city}`,
}) as Tool;
const wipe = defineTool({
  name: "zz_wipe",
  description: "Erases a whole volume.",
  permission: "dangerous",
  input: z.object({}),
  execute: () => "gone",
}) as Tool;

/** 300 tools of a plugin, 30 of an MCP server, two built-in ones. */
const MANY: Setting["tools"] = [
  ...Array.from({ length: 298 }, (_, at): [Tool, object] => [say(`plugin_tool_${at}`), { plugin: "many" }]),
  [weather, { plugin: "many" }],
  [wipe, { plugin: "many" }],
  ...Array.from({ length: 30 }, (_, at): [Tool, object] => [
    say(`aa_server__tool_${at}`),
    { mcp: "aa_server" },
  ]),
  [say("read_file"), { plugin: "files" }],
  [say("write_file"), { plugin: "files" }],
] as NonNullable<Setting["tools"]>;

const search = (query: string, limit?: number) => ({
  name: "tool_search",
  arguments: { query, ...(limit !== undefined && { limit }) },
});

describe("with more tools than may be visible", () => {
  it("a pinned core and tool_search are offered, what it finds from the next turn on, in an order that stays", async () => {
    const model = scriptedModel([
      { calls: [search("weather of a city")] },
      { calls: [{ name: "zz_weather", arguments: { city: "Rome" } }] },
      { text: "Sunny." },
    ]);
    const { result, events } = await work(folder.root, model, { tools: MANY });
    expect(result.status).toBe("completed");
    const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(offered[0]).toHaveLength(21);
    expect(offered[0]).toEqual(expect.arrayContaining(["read_file", "write_file", "plugin_tool_0"]));
    expect(offered[0]!.at(-1)).toBe("tool_search");
    expect(offered[0]!.filter((name) => name.startsWith("aa_server"))).toEqual([]);
    // What was offered stays where it is: the found ones come after it.
    expect(offered[1]!.slice(0, 21)).toEqual(offered[0]);
    expect(offered[1]).toContain("zz_weather");
    expect(offered[1]!.length).toBeLessThanOrEqual(21 + 5);
    expect(offered[2]).toEqual(offered[1]);
    const [found, called] = eventsOf(events, "tool_result");
    expect(textOf(found!.content)).toContain(
      "zz_weather(city, days?): Tells the weather of a city. 查询天气 [you have it from now on]",
    );
    expect(called).toMatchObject({ ok: true, content: [{ text: "sunny in Rome" }] });
  });

  it("the first request stays small", async () => {
    const model = scriptedModel([{ text: "Hi." }]);
    await work(folder.root, model, { tools: MANY });
    const tools = model.requests[0]!.tools.map(({ name, description, jsonSchema }) => ({
      name,
      description,
      jsonSchema,
    }));
    expect(JSON.stringify(tools).length).toBeLessThan(6000);
  });

  it("a Chinese request finds, and the limit holds", async () => {
    const model = scriptedModel([{ calls: [search("天气", 1), search("says", 2)] }, { text: "ok" }]);
    const { events } = await work(folder.root, model, { tools: MANY });
    const [first, second] = eventsOf(events, "tool_result").map(({ content }) => textOf(content).split("\n"));
    expect(first).toEqual([expect.stringMatching(/^zz_weather\(/)]);
    expect(second).toHaveLength(2);
    expect(model.requests[1]!.tools).toHaveLength(
      21 + 3 - [...second!].filter((line) => line.includes("[you have it]")).length,
    );
  });

  it("a disabled tool is named with the way to enable it, and not offered", async () => {
    const model = scriptedModel([
      { calls: [search("erase a volume")] },
      { calls: [search("qqqqqq")] },
      { text: "ok" },
    ]);
    const { events } = await work(folder.root, model, { tools: MANY });
    const [found, nothing] = eventsOf(events, "tool_result").map(({ content }) => textOf(content));
    expect(found).toMatch(
      /^zz_wipe\(\): Erases a whole volume\. \[disabled: .*tools\.enable.*--enable zz_wipe/m,
    );
    expect(model.requests[1]!.tools.map(({ name }) => name)).not.toContain("zz_wipe");
    expect(nothing).toContain("No tool is found");
  });

  it("a call of an enabled tool that is not offered runs all the same", async () => {
    const model = scriptedModel([{ calls: [{ name: "aa_server__tool_7", arguments: {} }] }, { text: "ok" }]);
    const { events } = await work(folder.root, model, { tools: MANY });
    expect(eventsOf(events, "tool_result")[0]).toMatchObject({ ok: true });
  });

  it("what a session has called is offered again when it goes on", async () => {
    const model = scriptedModel([{ text: "ok" }]);
    const history = [
      { role: "user" as const, content: [{ type: "text" as const, text: "Weather?" }] },
      {
        role: "assistant" as const,
        content: [{ type: "tool_call" as const, id: "c1", name: "zz_weather", arguments: { city: "Rome" } }],
      },
      { role: "tool" as const, results: [{ callId: "c1", name: "zz_weather", ok: true, content: [] }] },
    ];
    await work(folder.root, model, { tools: MANY, history });
    expect(model.requests[0]!.tools.at(-1)!.name).toBe("zz_weather");
  });
});

describe("without need", () => {
  it("all tools are offered, and no tool_search", async () => {
    const tools = Array.from({ length: 20 }, (_, at) => say(`tool_${at}`));
    const model = scriptedModel([{ text: "ok" }]);
    await work(folder.root, model, { tools });
    expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name).sort());
    const fewer = scriptedModel([{ text: "ok" }]);
    await work(folder.root, fewer, { tools, maxVisible: 3 });
    expect(fewer.requests[0]!.tools.map(({ name }) => name)).toEqual([
      "tool_0",
      "tool_1",
      "tool_10",
      "tool_search",
    ]);
  });

  it("all tools are offered where tool_search is disabled", async () => {
    const model = scriptedModel([{ text: "ok" }]);
    const tools = Array.from({ length: 25 }, (_, at) => say(`tool_${at}`));
    await work(folder.root, model, { tools, session: { disable: ["tool_search"] } });
    expect(model.requests[0]!.tools).toHaveLength(25);
  });

  it("a plugin's tool of the same name is an error that names it", () => {
    const registry = new ToolRegistry();
    registry.register(say("tool_search"), { plugin: "mine" });
    expect(() => registerAgentTools(registry)).toThrow(
      "the tool tool_search of mine has the name of a tool of the agent",
    );
  });
});

it("a tool with an alias is offered, called and remembered under that name, and judged by its own", async () => {
  const model = scriptedModel([
    {
      calls: [
        { name: "create_issue", arguments: {} },
        { name: "other", arguments: {} },
      ],
    },
    { text: "ok" },
  ]);
  const { events, result } = await work(folder.root, model, {
    tools: [say("github__create_issue"), say("other")],
    alias: { github__create_issue: "create_issue" },
    policy: { deny: ["other"], allow: ["github__create_issue"] },
  });
  expect(model.requests[0]!.tools.map(({ name }) => name)).toEqual(["create_issue", "other"]);
  expect(model.requests[0]!.tools[0]!.jsonSchema).toMatchObject({ type: "object" });
  expect(eventsOf(events, "tool_result").find(({ ok }) => ok)).toMatchObject({
    name: "create_issue",
    content: [{ text: "said github__create_issue" }],
  });
  expect(eventsOf(events, "decision")[0]).toMatchObject({
    tool: "github__create_issue",
    rule: "github__create_issue",
  });
  expect(result.denials).toMatchObject([{ tool: "other" }]);
});
