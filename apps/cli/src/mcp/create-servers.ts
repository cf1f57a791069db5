import type { LoadedConfig } from "@toycoder/config";
import type { Workspace } from "@toycoder/core";
import type { McpServers } from "@toycoder/mcp";
import type { Io } from "../io.ts";
import { version } from "../version.ts";

/** The MCP servers of a config, not yet started; the client is loaded only where there are any. */
export async function createServers(
  { config }: LoadedConfig,
  workspace: Workspace,
  io: Io,
): Promise<McpServers | undefined> {
  if (Object.keys(config.mcpServers).length === 0) return undefined;
  const { McpServers } = await import("@toycoder/mcp");
  const client = { name: "toycoder", version: version() };
  return new McpServers(config.mcpServers, { workspace, env: io.env, client });
}
