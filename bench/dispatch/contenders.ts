import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  dispatch,
  ToolRegistry,
} from "@toycoder/core";
import { z } from "zod";

/** One way from a model's JSON text to an executed tool. */
export interface Contender {
  name: string;
  /** One call; resolves when the tool has run. */
  call: (argumentsText: string) => Promise<unknown>;
}

/** The libraries beside us, and what belongs to them. Installed apart: nobody else needs them. */
const PEERS = { ai: "7.0.173", "@langchain/core": "1.4.0", "@openai/agents": "0.20.0", zod: "4.6.7" };

const execute = (): string => "";
const DESCRIPTION = "Does nothing.";

/** Our own: the whole pipeline, permissions included. */
function ours(): Contender {
  const registry = new ToolRegistry();
  const input = z.object({ path: z.string(), line: z.number().int(), all: z.boolean().optional() });
  registry.register(defineTool({ name: "nothing", description: DESCRIPTION, input, execute }));
  const workspace = createWorkspace({ root: tmpdir() });
  const policy = createPolicy({ root: workspace.root, deny: ["read:.env*"], allow: ["level:sensitive"] });
  const session = createSession({ registry, workspace, policy });
  return {
    name: "@toycoder/core dispatch",
    call: async (text) => {
      const result = await dispatch({ id: "c", name: "nothing", arguments: text }, session);
      if (!result.ok) throw new Error(result.error.message);
    },
  };
}

/** All contenders, ours first. Installs the others' packages once, in a folder of its own. */
export async function contenders(): Promise<Contender[]> {
  const folder = installPeers();
  const load = createLoader(folder);
  return [ours(), await aiSdk(load), await langchain(load), await openAiAgents(load)];
}

type Loaded = Record<string, (...args: unknown[]) => unknown>;
type Load = (name: string, from?: string) => Promise<Loaded>;

function installPeers(): string {
  const folder = path.join(tmpdir(), "toycoder-bench-dispatch");
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, type: "module", dependencies: PEERS });
  writeFileSync(path.join(folder, "package.json"), manifest);
  if (Object.keys(PEERS).every((name) => existsSync(path.join(folder, "node_modules", name)))) return folder;
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the libraries to compare with could not be installed");
  return folder;
}

function createLoader(folder: string): Load {
  return async (name, from = "") => {
    const require = createRequire(path.join(folder, "node_modules", from, "package.json"));
    return (await import(pathToFileURL(require.resolve(name)).href)) as Loaded;
  };
}

/** A schema made by the peers' own copy of zod. */
async function peerSchema(load: Load): Promise<unknown> {
  const { z: peer } = (await load("zod")) as unknown as { z: typeof z };
  return peer.object({ path: peer.string(), line: peer.number().int(), all: peer.boolean().nullable() });
}

async function aiSdk(load: Load): Promise<Contender> {
  const { tool } = await load("ai");
  const { asSchema, safeParseJSON } = await load("@ai-sdk/provider-utils", "ai");
  const made = tool?.({ description: DESCRIPTION, inputSchema: await peerSchema(load), execute }) as {
    inputSchema: unknown;
    execute: (input: unknown, options: object) => unknown;
  };
  return {
    name: "AI SDK: safeParseJSON, execute",
    call: async (text) => {
      const parsed = (await safeParseJSON?.({ text, schema: asSchema?.(made.inputSchema) })) as {
        success: boolean;
        value: unknown;
      };
      if (!parsed.success) throw new Error("refused");
      await made.execute(parsed.value, { toolCallId: "c", messages: [] });
    },
  };
}

async function langchain(load: Load): Promise<Contender> {
  const { tool } = await load("@langchain/core/tools");
  const made = tool?.(execute, {
    name: "nothing",
    description: DESCRIPTION,
    schema: await peerSchema(load),
  }) as {
    invoke: (call: object) => Promise<unknown>;
  };
  return {
    name: "LangChain: tool.invoke",
    call: async (text) =>
      made.invoke({ type: "tool_call", id: "c", name: "nothing", args: JSON.parse(text) as object }),
  };
}

async function openAiAgents(load: Load): Promise<Contender> {
  const { tool, RunContext } = (await load("@openai/agents")) as unknown as {
    tool: (options: object) => { invoke: (context: unknown, input: string) => Promise<unknown> };
    RunContext: new (context: object) => unknown;
  };
  const parameters = await peerSchema(load);
  const made = tool({ name: "nothing", description: DESCRIPTION, parameters, execute });
  const context = new RunContext({});
  return { name: "OpenAI Agents: tool.invoke", call: async (text) => made.invoke(context, text) };
}
