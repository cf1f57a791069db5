// A server on the second version of the SDK, over stdio.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "second-sdk", version: "2.0.0" });
server.registerTool(
  "multiply",
  {
    description: "Multiply two numbers.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ product: z.number() }),
  },
  ({ a, b }) => {
    const structuredContent = { product: a * b };
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  },
);
await server.connect(new StdioServerTransport());
