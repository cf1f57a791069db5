import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Connection, TransportKind } from "./connection.ts";
import { isLeftOut, type JudgedTool, judgeTool, type LeftOutTool } from "./judge-tool.ts";
import { listAll } from "./list-all.ts";
import type { McpServerConfig } from "./server-config.ts";
import { whyExcluded } from "./tool-level.ts";

/** What a server has said of itself. */
export interface ServerFacts {
  kind: TransportKind;
  name: string;
  version: string;
  tools: readonly JudgedTool[];
  leftOut: readonly LeftOutTool[];
  notes: readonly string[];
  hasResources: boolean;
}

/** Asks a server what it has. A tool that cannot be used is left out by itself. */
export async function readFacts(
  { client, kind }: Connection,
  config: McpServerConfig,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const { tools, resources } = client.getServerCapabilities() ?? {};
  const [listing, hasResources] = await Promise.all([
    tools === undefined ? { entries: [] } : listAll(client, "tools/list", signal),
    resources !== undefined && hasAny(client, signal),
  ]);
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  const notes = "cut" in listing && listing.cut !== undefined ? [`of its tools, ${listing.cut}`] : [];
  return { kind, name, version, ...sortOut(listing.entries, config), notes, hasResources };
}

function sortOut(
  entries: readonly unknown[],
  config: McpServerConfig,
): Pick<ServerFacts, "tools" | "leftOut"> {
  const tools = new Map<string, JudgedTool>();
  const leftOut: LeftOutTool[] = [];
  for (const one of entries.map(judgeTool)) {
    if (isLeftOut(one)) {
      leftOut.push(one);
      continue;
    }
    const reason = tools.has(one.name)
      ? "it is listed twice; the first one is taken"
      : whyExcluded(one.name, config);
    if (reason === undefined) tools.set(one.name, one);
    else leftOut.push({ tool: one.name, reason });
  }
  return { tools: [...tools.values()], leftOut };
}

async function hasAny(client: Client, signal: AbortSignal): Promise<boolean> {
  const ask = async (
    method: "resources/list" | "resources/templates/list",
    key: string,
  ): Promise<boolean> => {
    const result: Record<string, unknown> = await client.request({ method, params: {} }, ResultSchema, {
      signal,
    });
    return Array.isArray(result[key]) && result[key].length > 0;
  };
  const found = await Promise.allSettled([
    ask("resources/list", "resources"),
    ask("resources/templates/list", "resourceTemplates"),
  ]);
  return found.some((one) => one.status === "fulfilled" && one.value);
}
