import { statSync } from "node:fs";
import path from "node:path";
import { isToolError, type ToolContext } from "@toycoder/core";
import type { SearchScope } from "./search-scope.ts";

/** The symbolic link that ripgrep, told to `--debug`, says it passed over; undefined for its other lines. */
export const passedOver = (line: string): string | undefined =>
  /\bignoring \.\/(.*): failed to pass haystack filter: .*is_symlink: true/.exec(line)?.[1];

/** Symbolic links, relative to a search's folder. */
export interface PartedLinks {
  /** Those to files that the agent may read. */
  files: string[];
  /** Those that lead nowhere, or out of the workspace. */
  lost: string[];
}

/** Looks where links lead. Those to folders, and to files that may not be read, are left out. */
export function partLinks(links: readonly string[], { cwd }: SearchScope, ctx: ToolContext): PartedLinks {
  const parted: PartedLinks = { files: [], lost: [] };
  for (const link of links) {
    const target = followLink(path.join(cwd, link), ctx);
    if (target === "lost") parted.lost.push(link);
    else if (target === "file") parted.files.push(link);
  }
  return parted;
}

/** Where the absolute `link` leads: `lost` is nowhere or out of the workspace, `other` a folder or what is hidden. */
export function followLink(link: string, ctx: ToolContext): "file" | "lost" | "other" {
  try {
    if (!ctx.mayRead(link)) return "other";
    if (!ctx.workspace.resolve(link).inside) return "lost";
    const stats = statSync(link, { throwIfNoEntry: false });
    if (stats === undefined) return "lost";
    return stats.isFile() ? "file" : "other";
  } catch (error) {
    // A ring of links is lost; a folder on the way that may not be entered tells nothing.
    return isToolError(error) ? "lost" : "other";
  }
}
