import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { Category, Tool, ToolOrigin } from "@toycoder/core";

/** What these categories do changes something outside, whatever the level says. */
const ACTING: ReadonlySet<Category> = new Set(["action", "execution"]);
/** What these categories touch is in the workspace, or nowhere. */
const CLOSED: ReadonlySet<Category> = new Set(["file_io", "search", "computation", "interaction"]);

/**
 * What a host may be told of a tool before its first call. Only a `safe` tool that does not act only reads; every
 * other one may destroy, for all that can be known beforehand. Repeating is harmless for what only reads.
 */
export function toolAnnotations(tool: Tool, origin: ToolOrigin): ToolAnnotations {
  const readOnly = tool.permission === "safe" && !ACTING.has(tool.category);
  const closed = CLOSED.has(tool.category) && origin.mcp === undefined && tool.requiresAuth.length === 0;
  return {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly,
    ...(readOnly && tool.category !== "interaction" && { idempotentHint: true }),
    openWorldHint: !closed,
  };
}
