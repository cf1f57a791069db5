import { defineTool, jsonSchema, type Tool, ToolError } from "@toycoder/core";
import { runOf, type SubagentTask } from "./run-state.ts";

/** Gives a part of the work to a subagent. */
export const task: Tool = defineTool({
  name: "task",
  description:
    "Give a part of the work to a subagent, which has its own conversation and sees nothing of this one: tell it all it needs. Returns its final answer. Several calls in one answer work side by side.",
  permission: "dangerous",
  category: "action",
  tags: ["subagent", "delegate", "子任务"],
  // Its work is calls of tools, which take their own places.
  concurrency: "none",
  timeoutMs: false,
  input: jsonSchema<SubagentTask>({
    type: "object",
    properties: {
      description: { type: "string", minLength: 1, description: "A few words, for whoever watches" },
      prompt: { type: "string", minLength: 1, description: "The whole task, and what to answer with" },
      tools: {
        type: "array",
        items: { type: "string" },
        description: "Names of the tools it may use; left out: all that you are offered, but for this one",
      },
    },
    required: ["description", "prompt"],
    additionalProperties: false,
  }),
  async execute(input, ctx) {
    const run = runOf(ctx);
    if (run === undefined) throw new ToolError("no_run", "task works within a run", { hint: "toycoder run" });
    return await run.subagents.run(input, ctx.callId, ctx.signal);
  },
}) as Tool;
