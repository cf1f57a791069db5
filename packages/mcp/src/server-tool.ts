import { defineTool, type PermissionLevel, type Tool } from "@toycoder/core";
import { decodeResult, type McpOutput } from "./decode-result.ts";
import type { JudgedTool } from "./judge-tool.ts";
import type { McpServer } from "./mcp-server.ts";

/** A server's tool as one of ours. */
export function serverTool(
  server: McpServer,
  judged: JudgedTool,
  name: string,
  permission: PermissionLevel,
): Tool {
  return defineTool({
    name,
    description: judged.description,
    input: judged.input,
    permission,
    category: "external_api",
    author: server.name,
    tags: [server.name, judged.name],
    // The server's own limit, which progress renews.
    timeoutMs: false,
    execute: async (input, ctx) =>
      await decodeResult(await server.callTool(judged.name, input, ctx), judged, (base, bytes) =>
        ctx.spill(`${name}-${base}`, bytes),
      ),
    toModel: (output: McpOutput) => output.toContent(),
  }) as Tool;
}
