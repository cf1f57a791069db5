import { defineTool, jsonSchema, type Tool, ToolError } from "@toycoder/core";
import { runOf } from "./run-state.ts";

interface Input {
  query: string;
  limit?: number;
}

/** Brings in tools that a run has and does not offer from the start. */
export const toolSearch: Tool = defineTool({
  name: "tool_search",
  description:
    "Search for further tools by what they do: you are offered only some of those you have. Returns the names, descriptions and parameters of what is found; you can call it from the next turn on.",
  permission: "safe",
  category: "search",
  input: jsonSchema<Input>({
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, description: "What the tool is to do, or a part of its name" },
      limit: { type: "integer", minimum: 1, maximum: 20, default: 5, description: "The most tools to find" },
    },
    required: ["query"],
    additionalProperties: false,
  }),
  execute({ query, limit = 5 }, ctx) {
    const run = runOf(ctx);
    if (run === undefined)
      throw new ToolError("no_run", "tool_search works within a run", {
        hint: "toycoder tools search WORDS",
      });
    return run.tools.find(query, limit);
  },
}) as Tool;
