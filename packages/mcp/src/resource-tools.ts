import { type ContentPart, defineTool, jsonSchema, text, type Tool, ToolError } from "@toycoder/core";
import { isRecord, listOf } from "@toycoder/core/wire";
import { linkText, resourceOf } from "./decode-content.ts";
import { McpOutput } from "./decode-result.ts";
import type { McpServer } from "./mcp-server.ts";

export const RESOURCE_TOOLS: readonly string[] = ["mcp_list_resources", "mcp_read_resource"];

const MAX_PAGES = 20;

/** The two tools for what servers offer to be read. `servers` are those that offer any now. */
export function resourceTools(servers: () => readonly McpServer[]): readonly Tool[] {
  const serverOf = (name: string): McpServer => {
    const found = servers().find((server) => server.name === name);
    if (found !== undefined) return found;
    const names = servers().map((server) => server.name);
    throw new ToolError("unknown_server", `no MCP server ${JSON.stringify(name)} has resources`, {
      hint: `those that have some are ${names.join(", ")}`,
    });
  };
  const server = { type: "string", description: "The MCP server's name." };

  const list = defineTool({
    name: "mcp_list_resources",
    description:
      "List the resources (files, records, pages) that MCP servers offer, with their URIs, and the templates of URIs that they take. Read one with mcp_read_resource.",
    input: jsonSchema<{ server?: string }>({
      type: "object",
      properties: { server: { ...server, description: "Only those of this MCP server. Default: of all." } },
      additionalProperties: false,
    }),
    permission: "safe",
    category: "external_api",
    timeoutMs: false,
    execute: async ({ server: only }, ctx) => {
      const asked = only === undefined ? servers() : [serverOf(only)];
      const lines: string[] = [];
      for (const one of asked) {
        lines.push(`Server ${one.name}`);
        for (const [method, key] of LISTS) {
          let cursor: unknown;
          for (let page = 0; page < MAX_PAGES; page++) {
            const result = await one.request(method, typeof cursor === "string" ? { cursor } : {}, ctx);
            for (const entry of listOf(result[key]).filter(isRecord)) {
              lines.push(linkText({ ...entry, uri: entry.uri ?? entry.uriTemplate }));
            }
            cursor = result["nextCursor"];
            if (typeof cursor !== "string" || cursor === "") break;
          }
        }
      }
      return lines.join("\n");
    },
  });

  const read = defineTool({
    name: "mcp_read_resource",
    description:
      "Read a resource of an MCP server by its URI, as mcp_list_resources or a tool's result names it. Gives its text or image; other bytes are kept in the session.",
    input: jsonSchema<{ server: string; uri: string }>({
      type: "object",
      properties: {
        server,
        uri: { type: "string", description: "The resource's URI, placeholders filled in." },
      },
      required: ["server", "uri"],
      additionalProperties: false,
    }),
    permission: "safe",
    category: "external_api",
    timeoutMs: false,
    execute: async ({ server: name, uri }, ctx) => {
      const result = await serverOf(name).request("resources/read", { uri }, ctx);
      const spill = (base: string, bytes: Uint8Array): Promise<string> => ctx.spill(`mcp-${base}`, bytes);
      const parts: ContentPart[] = [];
      for (const one of listOf(result["contents"])) parts.push(...(await resourceOf(one, spill)));
      return new McpOutput(parts.length === 0 ? [text("(the resource is empty)")] : parts);
    },
    toModel: (output: McpOutput) => output.toContent(),
  });
  return [list, read];
}

const LISTS = [
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
] as const;
