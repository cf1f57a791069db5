import { defineTool, type Tool } from "@toycoder/core";
import { z } from "zod";

/** A PNG of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Some tools of ours, and the names of those that ran, in order. */
export function sampleTools(): { tools: Tool[]; ran: string[] } {
  const ran: string[] = [];
  const add = defineTool({
    name: "add",
    description: "Add two numbers.",
    input: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => {
      ran.push("add");
      return { sum: a + b };
    },
  });
  const remove = defineTool({
    name: "remove",
    description: "Remove a file.",
    input: z.object({ path: z.string() }),
    permission: "sensitive",
    effects: ({ path }) => [{ kind: "write", path }],
    execute: ({ path }) => {
      ran.push(`remove ${path}`);
      return `removed ${path}`;
    },
  });
  const look = defineTool({
    name: "look",
    description: "Look at the picture.",
    input: z.object({}),
    execute: () => {
      ran.push("look");
      return { width: 1 };
    },
    toModel: () => [
      { type: "text", text: "a pixel" },
      { type: "image", mediaType: "image/png", data: PIXEL },
    ],
  });
  return { tools: [add, remove, look], ran };
}
