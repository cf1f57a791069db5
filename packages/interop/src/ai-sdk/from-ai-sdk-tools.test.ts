import { isPlugin, textOf } from "@toycoder/core";
import { tempWorkspace, toolBench } from "@toycoder/testing";
import { type } from "arktype";
import { dynamicTool, jsonSchema, tool, type ToolSet, zodSchema } from "ai";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { z as olderZod } from "zod-older";
import { z as zod3 } from "zod3";
import { PIXEL } from "../test-support/sample-tools.ts";
import { aiSdkPlugin } from "./ai-sdk-plugin.ts";
import { fromAiSdkTools } from "./from-ai-sdk-tools.ts";

const folder = tempWorkspace();
afterAll(() => folder.dispose());
const { root } = folder;

const weather = { description: "The weather in a city.", inputSchema: z.object({ city: z.string() }) };

test("their tool is judged by our rules before it runs, and by its level where no rule speaks", async () => {
  const ran: string[] = [];
  const getWeather = tool({
    ...weather,
    execute: async ({ city }) => {
      ran.push(city);
      return { city, degrees: 21 };
    },
  });
  const { tools } = await fromAiSdkTools({ getWeather });
  expect(tools).toMatchObject([
    { name: "get_weather", permission: "sensitive", category: "external_api", tags: ["getWeather"] },
  ]);
  const call = (policy: object) => toolBench(tools, { root, policy }).call("get_weather", { city: "Oslo" });
  expect(await call({})).toMatchObject({ ok: false, error: { code: "approval_required" } });
  expect(await call({ deny: ["get_*"] })).toMatchObject({ ok: false, error: { code: "permission_denied" } });
  expect(ran).toEqual([]);
  const result = await call({ allow: ["get_weather"] });
  expect(result).toMatchObject({ ok: true, output: { city: "Oslo", degrees: 21 } });
  expect(textOf(result.content)).toBe('{"city":"Oslo","degrees":21}');
});

test("levels go by glob, the last match counts, and what needs an approval is never safe", async () => {
  const execute = () => "x";
  const given: ToolSet = {
    listFiles: tool({ ...weather, execute }),
    listSecrets: tool({ ...weather, execute }),
    pay: tool({ ...weather, needsApproval: true, execute }),
    payMaybe: tool({ ...weather, needsApproval: async () => false, execute }),
    wipe: tool({ ...weather, execute }),
  };
  const { tools } = await fromAiSdkTools(given, {
    levels: { "*": "safe", "list*": "sensitive", listFiles: "safe", wipe: "dangerous" },
  });
  expect(tools.map(({ name, permission }) => [name, permission])).toEqual([
    ["list_files", "safe"],
    ["list_secrets", "sensitive"],
    ["pay", "sensitive"],
    ["pay_maybe", "sensitive"],
    ["wipe", "dangerous"],
  ]);
  await expect(fromAiSdkTools(given, { levels: { "lsit*": "safe" } })).rejects.toThrow(
    'no tool matches "lsit*"',
  );
});

test("what cannot be kept to permissions, or cannot run, is left out with the reason", async () => {
  const { tools, leftOut } = await fromAiSdkTools({
    web_search: {
      type: "provider",
      id: "openai.web_search",
      isProviderExecuted: true,
      args: {},
      inputSchema: z.object({}),
      outputSchema: z.unknown(),
    },
    inUi: tool({ ...weather, outputSchema: z.string() }),
    dated: tool({ description: "x", inputSchema: z.object({ at: z.date() }), execute: () => 1 }),
    listed: tool({ description: "x", inputSchema: z.array(z.string()) as never, execute: () => 1 }),
    lacking: tool({ ...weather, contextSchema: z.object({ key: z.string() }), execute: () => 1 }),
    local: {
      type: "provider",
      id: "anthropic.bash_1",
      isProviderExecuted: false,
      args: {},
      inputSchema: z.object({ command: z.string() }),
      execute: ({ command }: { command: string }) => `ran ${command}`,
    },
  });
  expect(Object.fromEntries(leftOut.map(({ name, reason }) => [name, reason]))).toEqual({
    web_search: "the provider runs it (openai.web_search), where no permission of ours holds",
    inUi: "it has no execute",
    dated: expect.stringContaining("Date"),
    listed: expect.stringContaining("must be an object"),
    lacking: "it needs a context: toolsContext.lacking",
  });
  expect(tools.map(({ name }) => name)).toEqual(["local"]);
  const allowed = { levels: { sensitive: "allow" } } as const;
  expect(await toolBench(tools, { root, policy: allowed }).call("local", { command: "ls" })).toMatchObject({
    output: "ran ls",
  });
});

const forms = {
  zod4: z.object({ n: z.number().int().default(1), s: z.string().optional() }),
  zod3: zod3.object({ n: zod3.number().int().default(1), s: zod3.string().optional() }),
  older: olderZod.object({ n: olderZod.number().int().default(1), s: olderZod.string().optional() }),
  arktype: type({ "n?": "number.integer", "s?": "string", "+": "reject" }),
  wrapped: zodSchema(z.object({ n: z.number().int().default(1), s: z.string().optional() })),
  lazy: () => zodSchema(z.object({ n: z.number().int().default(1), s: z.string().optional() })),
  json: jsonSchema({
    type: "object",
    properties: { n: { type: "integer" }, s: { type: "string" } },
    additionalProperties: false,
  }),
  promised: jsonSchema(
    Promise.resolve({
      type: "object",
      properties: { n: { type: "integer" }, s: { type: "string" } },
      additionalProperties: false,
    } as const),
  ),
};

test.each(Object.keys(forms) as (keyof typeof forms)[])("an input schema of the form %s", async (form) => {
  const echo = dynamicTool({
    description: "Echo.",
    inputSchema: forms[form] as never,
    execute: async (input) => input,
  });
  const { tools, leftOut } = await fromAiSdkTools({ echo }, { level: "safe" });
  expect(leftOut).toEqual([]);
  expect(tools[0]?.jsonSchema).toMatchObject({
    type: "object",
    properties: { n: { type: "integer" }, s: { type: "string" } },
    additionalProperties: false,
  });
  expect(tools[0]?.jsonSchema.required ?? []).toEqual([]);
  const bench = toolBench(tools, { root });
  // As the AI SDK does it, `execute` gets what the schema makes of the arguments: defaults are filled in.
  const isZod = ["zod4", "zod3", "older", "wrapped", "lazy"].includes(form);
  expect(await bench.call("echo", { s: "x" })).toMatchObject({
    output: isZod ? { n: 1, s: "x" } : { s: "x" },
  });
  expect(await bench.call("echo", { n: "2" })).toMatchObject({ output: { n: 2 } });
  for (const wrong of [{ n: 1.5 }, { s: 1 }, { x: 1 }]) {
    expect(await bench.call("echo", wrong)).toMatchObject({
      ok: false,
      error: { code: "invalid_arguments" },
    });
  }
});

test("a schema's own validation counts beside its JSON Schema", async () => {
  const even = jsonSchema<{ n: number }>(
    { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    {
      validate: (value) => {
        const { n } = value as { n: number };
        return n % 2 === 0
          ? { success: true, value: { n: n / 2 } }
          : { success: false, error: new Error("odd") };
      },
    },
  );
  const halve = tool({ description: "Halve.", inputSchema: even, execute: async ({ n }) => n });
  const { tools } = await fromAiSdkTools({ halve }, { level: "safe" });
  const bench = toolBench(tools, { root });
  expect(await bench.call("halve", { n: 4 })).toMatchObject({ output: 2 });
  expect(await bench.call("halve", { n: 3 })).toMatchObject({
    error: { code: "invalid_arguments", message: expect.stringContaining("odd") },
  });
});

test("what toModelOutput gives is what the model sees; the output stays what the tool returned", async () => {
  const outputs = {
    text: { type: "text", value: "so" },
    json: { type: "json", value: { a: 1 } },
    denied: { type: "execution-denied", reason: "not on Sundays" },
    failed: { type: "error-text", value: "no disk" },
    parts: {
      type: "content",
      value: [
        { type: "text", text: "see" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: PIXEL } },
        { type: "file-data", mediaType: "image/png", data: PIXEL },
        {
          type: "file",
          mediaType: "image/png",
          data: { type: "data", data: new Uint8Array(Buffer.from(PIXEL, "base64")) },
        },
        { type: "file", mediaType: "application/pdf", data: { type: "data", data: "JVBERi0=" } },
        { type: "file", mediaType: "text/plain", filename: "a.txt", data: { type: "text", text: "inline" } },
        {
          type: "file",
          mediaType: "image/png",
          data: { type: "url", url: new URL("https://example.com/a.png") },
        },
        { type: "custom" },
      ],
    },
  } as const;
  const given = Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [
      name,
      tool({ ...weather, execute: async () => ({ raw: name }), toModelOutput: () => output as never }),
    ]),
  );
  const { tools } = await fromAiSdkTools(given, { level: "safe" });
  const bench = toolBench(tools, { root });
  const call = (name: string) => bench.call(name, { city: "Oslo" });
  const said = await call("text");
  expect(said).toMatchObject({ ok: true, content: [{ type: "text", text: "so" }] });
  expect(JSON.stringify(said.ok && said.output)).toBe('{"raw":"text"}');
  expect(textOf((await call("json")).content)).toBe('{"a":1}');
  expect(await call("denied")).toMatchObject({
    error: { code: "permission_denied", message: "not on Sundays" },
  });
  expect(await call("failed")).toMatchObject({ error: { code: "tool_failed", message: "no disk" } });
  const image = { type: "image", mediaType: "image/png", data: PIXEL };
  expect((await call("parts")).content).toEqual([
    { type: "text", text: "see" },
    image,
    image,
    image,
    { type: "text", text: expect.stringMatching(/^\[application\/pdf, 5 bytes: kept as session:.*pdf\]$/) },
    { type: "text", text: "[a.txt]\ninline" },
    { type: "text", text: "[a file at https://example.com/a.png]" },
    { type: "text", text: '[a part that is not known here: {"type":"custom"}]' },
  ]);
});

test("streamed results, thrown errors, the context and the abort signal", async () => {
  const seen: unknown[] = [];
  const given: ToolSet = {
    streams: tool({
      ...weather,
      async *execute() {
        yield "10 %";
        yield "all";
      },
    }),
    throws: tool({
      ...weather,
      execute: (): string => {
        throw new Error("no such city");
      },
    }),
    told: tool({
      ...weather,
      description: ({ context }: { context: { key: string } }) => `With ${context.key}.`,
      contextSchema: z.object({ key: z.string() }),
      execute: (_, { context, toolCallId, messages }) => {
        seen.push(context, toolCallId, messages);
        return "ok";
      },
    }) as never,
    waits: tool({
      ...weather,
      execute: async (_, { abortSignal }) => {
        const aborted = new Promise<void>((resolve) =>
          abortSignal?.addEventListener("abort", () => resolve()),
        );
        stop.abort();
        await aborted;
        seen.push("aborted");
      },
    }),
  };
  const stop = new AbortController();
  const { tools } = await fromAiSdkTools(given, { level: "safe", toolsContext: { told: { key: "K" } } });
  expect(tools.find(({ name }) => name === "told")?.description).toBe("With K.");
  const bench = toolBench(tools, { root });
  expect(await bench.call("streams", { city: "x" })).toMatchObject({ output: "all" });
  expect(await bench.call("throws", { city: "x" })).toMatchObject({
    error: { code: "execution_failed", message: "no such city" },
  });
  await bench.call("told", { city: "x" });
  expect(await bench.call("waits", { city: "x" }, stop.signal)).toMatchObject({
    error: { code: "cancelled" },
  });
  expect(seen).toEqual([{ key: "K" }, "call_3", [], "aborted"]);
});

test("a plugin of AI SDK tools brings them, and shows what it left out", async () => {
  let ended = 0;
  const plugin = aiSdkPlugin({
    name: "weather",
    version: "1.2.0",
    level: "safe",
    instructions: "Ask for the weather.",
    tools: async ({ root }) => ({
      getWeather: tool({ ...weather, description: `At ${root}.`, execute: async () => "sun" }),
      inUi: tool({ ...weather, outputSchema: z.string() }),
    }),
    dispose: () => void ended++,
  });
  expect(isPlugin(plugin) && [plugin.name, plugin.version]).toEqual(["weather", "1.2.0"]);
  const parts = await plugin.setup({ root: "/", secretVariables: [] });
  expect(parts).toMatchObject({
    tools: [{ name: "get_weather", description: "At /.", permission: "safe" }],
    instructions: "Ask for the weather.",
    status: { "inUi is left out": "it has no execute" },
  });
  await parts.dispose?.();
  expect(ended).toBe(1);
});
