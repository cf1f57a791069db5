// A server on fastmcp, over stdio.
import { FastMCP, UserError } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "on-fastmcp", version: "3.1.0" });
server.addTool({
  name: "shout",
  description: "Put a text into capitals.",
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => {
    if (text === "") throw new UserError("there is nothing to shout");
    return text.toUpperCase();
  },
});
await server.start({ transportType: "stdio" });
