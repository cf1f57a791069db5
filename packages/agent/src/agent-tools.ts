import { SetupError, type Tool, type ToolRegistry } from "@toycoder/core";
import { task } from "./task-tool.ts";
import { toolSearch } from "./tool-search-tool.ts";

/** The agent's own tools. */
const AGENT_TOOLS: readonly Tool[] = [task, toolSearch];

/**
 * Registers the agent's own tools, `task` and `tool_search`, as of the plugin `agent`. Throws a SetupError
 * `reserved_tool` where a plugin has taken one of their names.
 */
export function registerAgentTools(registry: ToolRegistry): void {
  for (const { name } of AGENT_TOOLS) {
    if (!registry.has(name)) continue;
    const { plugin = "another plugin" } = registry.origin(name);
    throw new SetupError(
      "reserved_tool",
      `the tool ${name} of ${plugin} has the name of a tool of the agent`,
      {
        hint: "give it another name",
      },
    );
  }
  registry.registerMany(AGENT_TOOLS, { plugin: "agent" });
}
