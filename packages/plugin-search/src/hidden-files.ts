import path from "node:path";
import type { ToolContext } from "@toycoder/core";

/** Listed files: those that may be shown, and the number of those that may not. */
export interface PartedFiles {
  open: string[];
  hidden: number;
}

/**
 * Parts files that were listed in the real `folder`, relative to it. What a listing gives are files, not links, so
 * that it hangs on the path alone. Whoever shows one asks `ctx.mayRead` again, since it may have become a link.
 */
export function hiddenParter(folder: string, ctx: ToolContext): (files: string[]) => PartedFiles {
  const bounds = ctx.bounds("read");
  if (bounds === undefined) return (files) => ({ open: files, hidden: 0 });
  return (files) => {
    const open = files.filter((file) => !bounds.covers(path.join(folder, file)));
    return { open, hidden: files.length - open.length };
  };
}
