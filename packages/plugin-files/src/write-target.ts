import path from "node:path";
import { type ResolvedPath, type ToolContext, ToolError } from "@toycoder/core";

/** Resolves a path to write to. Throws a ToolError for what can only be read or names a folder. */
export function writable(given: string, ctx: ToolContext): ResolvedPath {
  if (given.startsWith("session:")) throw new ToolError("read_only", `${given} can only be read`);
  const file = ctx.workspace.resolve(given);
  if (/[\\/]$/.test(given) && path.sep === given.at(-1)) {
    throw new ToolError("is_directory", `${given} names a folder; give the path of a file`);
  }
  return file;
}

/** Throws a ToolError `invalid_text` for text that no encoding can hold. */
export function checkText(text: string, name: string): void {
  if (text.isWellFormed()) return;
  throw new ToolError("invalid_text", `${name} holds half of a surrogate pair`, {
    hint: "send whole characters",
  });
}
