import path from "node:path";
import type { ToolContext } from "@toycoder/core";

/** Verdicts that a session remembers at most: some 20 MB. */
const MAX_KNOWN = 200_000;

/**
 * Parts listed files (relative to `folder`, with `/`) into those that may be shown and the number of the hidden
 * ones. A verdict is remembered for the session: what a listing gives are files, not links, so that it hangs on
 * the path alone. Whoever shows a file asks again, since it may have become a link.
 */
export function partHidden(
  files: readonly string[],
  folder: string,
  ctx: ToolContext,
): { open: string[]; hidden: number } {
  if (!ctx.hidesPaths) return { open: [...files], hidden: 0 };
  const known = ctx.state("search:read-rules") as Map<string, boolean>;
  if (known.size > MAX_KNOWN) known.clear();
  const start = folder.endsWith(path.sep) ? folder : folder + path.sep;
  const open = files.filter((file) => {
    const absolute = start + file;
    let verdict = known.get(absolute);
    if (verdict === undefined) known.set(absolute, (verdict = ctx.mayRead(absolute)));
    return verdict;
  });
  return { open, hidden: files.length - open.length };
}
