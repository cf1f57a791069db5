import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tempWorkspace, type TempWorkspace } from "@toycoder/testing";
import { expect, it } from "vitest";
import { cassette } from "../test-support/cassette.ts";
import { runToycoder } from "../test-support/run-toycoder.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** What a project has installed that brings tools of both frameworks. */
function install(folder: TempWorkspace): void {
  for (const name of [
    "@toycoder/core",
    "@toycoder/interop",
    "@toycoder/plugin-files",
    "@langchain/core",
    "ai",
    "zod",
  ]) {
    mkdirSync(path.dirname(folder.path(`node_modules/${name}`)), { recursive: true });
    symlinkSync(path.join(MODULES, name), folder.path(`node_modules/${name}`));
  }
}

const CONFIG = `
import { writeFileSync } from "node:fs";
import { tool as langChainTool } from "@langchain/core/tools";
import { createPolicy, createSession, createWorkspace, type PluginContext, ToolRegistry } from "@toycoder/core";
import { aiSdkPlugin, toAiSdkTools } from "@toycoder/interop/ai-sdk";
import { langChainPlugin, toLangChainTools } from "@toycoder/interop/langchain";
import { filesPlugin } from "@toycoder/plugin-files";
import { tool } from "ai";
import { defineConfig } from "toycoder";
import { z } from "zod";

const city = z.object({ city: z.string() });
const ran = (name: string) => async ({ city }: { city: string }) => {
  writeFileSync(name, city);
  return { city, by: name };
};

async function filesSession({ root, secretVariables }: PluginContext) {
  const { tools } = await filesPlugin().setup({ root, secretVariables });
  const registry = new ToolRegistry();
  registry.registerMany(tools);
  const policy = createPolicy({ root, levels: { sensitive: "allow" } });
  return createSession({ registry, policy, workspace: createWorkspace({ root }) });
}

export default defineConfig({
  model: "replay:c.jsonl",
  plugins: [
    aiSdkPlugin({
      name: "weather",
      tools: {
        getWeather: tool({ description: "The weather.", inputSchema: city, execute: ran("get_weather") }),
        searchWeb: tool({ description: "In the page.", inputSchema: city, outputSchema: z.string() }),
      },
      levels: { "get*": "safe" },
    }),
    langChainPlugin({
      name: "cities",
      tools: ["findCity", "dropCity", "moveCity"].map((name) =>
        langChainTool(ran(name), { name, description: "Cities.", schema: city }),
      ),
    }),
    aiSdkPlugin({
      name: "reading",
      tools: async (ctx) => {
        const { read_file } = toAiSdkTools(await filesSession(ctx));
        return { read_file };
      },
      level: "safe",
    }),
    langChainPlugin({
      name: "writing",
      tools: async (ctx) => toLangChainTools(await filesSession(ctx)).filter(({ name }) => name === "write_file"),
    }),
  ],
  permissions: { allow: ["find_city", "plugin:writing"], deny: ["drop_*"] },
});
`;

it("a config's plugins of AI SDK and LangChain tools run under the config's permissions", async () => {
  using folder = tempWorkspace({ "toycoder.config.ts": CONFIG, "a.txt": "alpha\n" });
  install(folder);
  const calls = [
    ...["get_weather", "find_city", "drop_city"].map((name) => ({ name, arguments: { city: "Oslo" } })),
    { name: "read_file", arguments: { path: "a.txt" } },
    { name: "write_file", arguments: { path: "b.txt", content: "beta\n" } },
    { name: "read_file", arguments: { path: "../outside" } },
  ];
  const offered = ["drop_city", "find_city", "get_weather", "move_city", "read_file", "write_file"];
  folder.write("c.jsonl", await cassette([{ calls }, { text: "Done." }], offered));
  const options = { cwd: folder.root, input: "" };
  const { code, stdout, stderr } = await runToycoder(["run", "Go.", "--output", "stream-json"], options);
  expect([code, stderr]).toEqual([0, ""]);
  const results = stdout
    .split("\n")
    .filter((line) => line.includes('"type":"tool_result"'))
    .map(
      (line) =>
        JSON.parse(line) as { callId: string; ok: boolean; code?: string; content: { text: string }[] },
    )
    .toSorted((a, b) => (a.callId < b.callId ? -1 : 1));
  const outcomes = [true, true, "permission_denied", true, true, "outside_workspace"];
  expect(results.map((result) => result.code ?? result.ok)).toEqual(outcomes);
  expect(results[0]?.content[0]?.text).toBe('{"city":"Oslo","by":"get_weather"}');
  expect(results[3]?.content[0]?.text).toContain("1: alpha");
  expect(folder.read("b.txt")).toBe("beta\n");
  expect([folder.read("findCity"), existsSync(folder.path("dropCity"))]).toEqual(["Oslo", false]);

  const check = await runToycoder(["check"], options);
  expect(check.stdout).toMatch(/searchWeb is left out.*it has no execute/);
  const asks = await runToycoder(["tools", "call", "move_city", '{"city":"Oslo"}', "--json"], options);
  expect([asks.code, asks.stdout]).toEqual([6, expect.stringContaining("approval_required")]);
});
