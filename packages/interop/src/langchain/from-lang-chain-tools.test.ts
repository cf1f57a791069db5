import { ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool, tool } from "@langchain/core/tools";
import { textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { z as olderZod } from "zod-older";
import { z as zod3 } from "zod3";
import { PIXEL } from "../test-support/sample-tools.ts";
import { langChainPlugin } from "./lang-chain-plugin.ts";
import { fromLangChainTools } from "./from-lang-chain-tools.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
const { root } = folder;

const schema = z.object({ city: z.string() });

test("their tool is judged by our rules before it is invoked, and by its level where no rule speaks", async () => {
  const ran: string[] = [];
  const weather = tool(
    async ({ city }) => {
      ran.push(city);
      return { city, degrees: 21 };
    },
    { name: "getWeather", description: "The weather in a city.", schema },
  );
  const { tools } = fromLangChainTools([weather]);
  expect(tools).toMatchObject([
    {
      name: "get_weather",
      description: "The weather in a city.",
      permission: "sensitive",
      tags: ["getWeather"],
    },
  ]);
  const call = (policy: object) => toolBench(tools, { root, policy }).call("get_weather", { city: "Oslo" });
  expect(await call({})).toMatchObject({ ok: false, error: { code: "approval_required" } });
  expect(await call({ deny: ["get_*"] })).toMatchObject({ ok: false, error: { code: "permission_denied" } });
  expect(ran).toEqual([]);
  expect(textOf((await call({ allow: ["get_weather"] })).content)).toBe('{"city":"Oslo","degrees":21}');
});

test("levels go by glob; what cannot be described, and a name that was there, is left out", () => {
  const named = (name: string, of: z.ZodType = schema) =>
    tool(async () => "x", { name, schema: of as typeof schema });
  const given = [named("list"), named("wipe"), named("list"), named("dated", z.object({ at: z.date() }))];
  const { tools, leftOut } = fromLangChainTools(given, { levels: { "*": "safe", "w?pe": "dangerous" } });
  expect(tools.map(({ name, permission }) => [name, permission])).toEqual([
    ["list", "safe"],
    ["wipe", "dangerous"],
  ]);
  expect(leftOut).toEqual([
    { name: "list", reason: "another tool has that name" },
    { name: "dated", reason: expect.stringContaining("Date") },
  ]);
  expect(() => fromLangChainTools(given, { levels: { x: "safe" } })).toThrow('no tool matches "x"');
});

const forms = {
  zod4: z.object({ n: z.number().int().default(1), s: z.string().optional() }),
  zod3: zod3.object({ n: zod3.number().int().default(1), s: zod3.string().optional() }),
  older: olderZod.object({ n: olderZod.number().int().default(1), s: olderZod.string().optional() }),
  json: {
    type: "object",
    properties: { n: { type: "integer" }, s: { type: "string" } },
    additionalProperties: false,
  },
};

test.each(Object.keys(forms) as (keyof typeof forms)[])("a schema of the form %s", async (form) => {
  const echo = tool(async (input: object) => JSON.stringify(input), {
    name: "echo",
    description: "Echo.",
    schema: forms[form] as never,
  });
  const { tools, leftOut } = fromLangChainTools([echo], { level: "safe" });
  expect(leftOut).toEqual([]);
  expect(tools[0]?.jsonSchema).toMatchObject({
    type: "object",
    properties: { n: { type: "integer" }, s: { type: "string" } },
    additionalProperties: false,
  });
  expect(tools[0]?.jsonSchema.required ?? []).toEqual([]);
  const bench = toolBench(tools, { root });
  const filled = form === "json" ? '{"s":"x"}' : '{"n":1,"s":"x"}';
  expect(textOf((await bench.call("echo", { s: "x" })).content)).toBe(filled);
  expect(textOf((await bench.call("echo", { n: "2" })).content)).toBe('{"n":2}');
  for (const wrong of [{ n: 1.5 }, { s: 1 }, { x: 1 }]) {
    expect(await bench.call("echo", wrong)).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    });
  }
});

test("a transform runs once, in the tool; a tool of one text and a runnable work", async () => {
  const doubled = tool(async ({ n }) => String(n), {
    name: "doubled",
    description: "Twice.",
    schema: z.object({ n: z.number().transform((n) => n * 2) }),
  });
  const shout = new DynamicTool({
    name: "shout",
    description: "Shout.",
    func: async (input) => input.toUpperCase(),
  });
  const runnable = RunnableLambda.from(({ city }: { city: string }) => `sunny in ${city}`);
  const sun = runnable.asTool({ name: "sun", description: "Sun.", schema });
  const { tools, leftOut } = fromLangChainTools([doubled, shout, sun], { level: "safe" });
  expect(leftOut).toEqual([]);
  const bench = toolBench(tools, { root });
  expect(textOf((await bench.call("doubled", { n: 2 })).content)).toBe("4");
  expect(textOf((await bench.call("shout", { input: "hey" })).content)).toBe("HEY");
  expect(textOf((await bench.call("sun", { city: "Oslo" })).content)).toBe("sunny in Oslo");
});

test("content is what the model sees, the artifact is the output, and errors are failures", async () => {
  const named = (name: string, run: (id: string) => unknown) =>
    tool(async (_, config) => run(config.toolCall?.id ?? "") as never, { name, description: "x", schema });
  const blocks = [
    { type: "text", text: "see" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
    { type: "image", mimeType: "image/png", data: PIXEL },
    { type: "image", source_type: "base64", mime_type: "image/png", data: PIXEL },
    { type: "file", source_type: "base64", mime_type: "application/pdf", data: "JVBERi0=" },
    { type: "image_url", image_url: "https://example.com/a.png" },
    { type: "odd" },
  ];
  const rows = tool(async () => ["2 rows", [{ id: 1 }, { id: 2 }]], {
    name: "rows",
    description: "Rows.",
    schema,
    responseFormat: "content_and_artifact",
  });
  const command = (id: string) => ({
    lg_name: "Command",
    lc_direct_tool_output: true,
    update: { seen: true, messages: [new ToolMessage({ content: "noted", tool_call_id: id })] },
  });
  const { tools } = fromLangChainTools(
    [
      rows,
      named("blocks", () => blocks),
      named("fails", (id) => new ToolMessage({ content: "no disk", tool_call_id: id, status: "error" })),
      named("throws", () => {
        throw new Error("no such city");
      }),
      named("commands", command),
    ],
    { level: "safe" },
  );
  const bench = toolBench(tools, { root });
  const call = (name: string) => bench.call(name, { city: "Oslo" });
  const result = await call("rows");
  expect(textOf(result.content)).toBe("2 rows");
  expect(JSON.stringify(result.ok && result.output)).toBe('[{"id":1},{"id":2}]');
  const image = { type: "image", mediaType: "image/png", data: PIXEL };
  expect((await call("blocks")).content).toEqual([
    { type: "text", text: "see" },
    image,
    image,
    image,
    { type: "text", text: expect.stringMatching(/^\[application\/pdf, 5 bytes: kept as session:/) },
    { type: "text", text: "[a file at https://example.com/a.png]" },
    { type: "text", text: '[a block that is not known here: {"type":"odd"}]' },
  ]);
  expect(await call("fails")).toMatchObject({ error: { code: "tool_failed", message: "no disk" } });
  expect(await call("throws")).toMatchObject({
    error: { code: "execution_failed", message: "no such city" },
  });
  expect(textOf((await call("commands")).content)).toBe("noted");
});

test("the call's id, its signal and the given config reach the tool", async () => {
  const stop = new AbortController();
  const seen: unknown[] = [];
  const waits = tool(
    async (_, config) => {
      seen.push(config.toolCall?.id, config.configurable);
      const aborted = new Promise<void>((resolve) =>
        config.signal?.addEventListener("abort", () => resolve()),
      );
      stop.abort();
      await aborted;
      seen.push("aborted");
    },
    { name: "waits", description: "Waits.", schema },
  );
  const { tools } = fromLangChainTools([waits], { level: "safe", config: { configurable: { user: "u1" } } });
  const result = await toolBench(tools, { root }).call("waits", { city: "x" }, stop.signal);
  expect(result).toMatchObject({ error: { code: "cancelled" } });
  expect(seen).toEqual(["call_1", { user: "u1" }, "aborted"]);
});

test("a plugin of LangChain tools brings them", async () => {
  const context = { root: "/", secretVariables: [] };
  const weather = tool(async () => "sun", {
    name: "getWeather",
    description: "x",
    schema,
  });
  const plugin = langChainPlugin({ name: "weather", tools: [weather], levels: { "get*": "dangerous" } });
  const parts = await plugin.setup(context);
  expect(parts.tools).toMatchObject([{ name: "get_weather", permission: "dangerous" }]);
  expect(parts.status).toBeUndefined();
  await expect(
    langChainPlugin({ name: "w", tools: () => [weather], levels: { x: "safe" } }).setup(context),
  ).rejects.toThrow('no tool matches "x"');
});
