import type { Dirent } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import { defineTool, type Tool, type ToolContext, ToolError } from "@toycoder/core";
import { z } from "zod";
import { fileError } from "./file-error.ts";
import { showSize } from "./file-kind.ts";
import { type FolderNode, type FolderTree, readFolderTree } from "./folder-tree.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { statExisting } from "./open-file.ts";

/** Entries that one listing shows at most. */
const MAX_ENTRIES = 400;

const input = z.object({
  path: z.string().default(".").describe("Folder"),
  depth: z.number().int().min(1).max(10).optional().describe("Levels"),
});

/** What `list_dir` takes. */
export interface ListDirInput {
  path: string;
  depth?: number | undefined;
}

/** `list_dir`: what is in a folder, folders first; ignored and hidden entries are left out and counted. */
export const listDir: Tool<ListDirInput, string> = defineTool({
  name: "list_dir",
  description: "List a workspace folder: subfolders, files with sizes, number of ignored ones.",
  input,
  permission: "safe",
  category: "file_io",
  tags: ["ls", "tree", "列出目录"],
  effects: ({ path, depth = 1 }) => [
    { kind: "read", path, ...(depth > 1 && { recursive: true, filtered: true }) },
  ],
  execute: async ({ path: given, depth = 1 }, ctx) => {
    const mayRead = ctx.mayRead.bind(ctx);
    const folder = ctx.workspace.resolve(given);
    if (!(await statExisting(folder, mayRead)).isDirectory()) {
      throw new ToolError("not_a_directory", `${folder.display} is not a folder`, {
        hint: "read_file reads files",
      });
    }
    const top = ctx.workspace.roots.find((root) => `${folder.real}${path.sep}`.startsWith(root + path.sep));
    const rules = await IgnoreRules.load(top ?? folder.real, folder.real);
    try {
      const tree = await readFolderTree(folder.real, {
        rules,
        mayRead,
        depth,
        limit: MAX_ENTRIES,
        signal: ctx.signal,
      });
      const lines: string[] = [];
      await showFolder(tree.top, "", ctx, lines);
      return [`[${folder.display} · ${summary(tree)}]`, ...lines].join("\n");
    } catch (error) {
      throw fileError(error, folder.display);
    }
  },
});

async function showFolder(
  node: FolderNode,
  indent: string,
  ctx: ToolContext,
  lines: string[],
): Promise<void> {
  for (const { entry, folder } of node.entries) {
    lines.push(indent + (await showEntry(path.join(node.absolute, entry.name), entry, ctx)));
    if (folder === undefined) continue;
    if (folder.unreadable) lines.push(`${indent}  (cannot be read)`);
    await showFolder(folder, `${indent}  `, ctx, lines);
  }
  if (node.cut > 0) lines.push(`${indent}… ${node.cut} more`);
}

async function showEntry(absolute: string, entry: Dirent, ctx: ToolContext): Promise<string> {
  const name = showName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${linkTarget(absolute, ctx)}`;
  if (entry.isFIFO()) return `${name} (FIFO)`;
  if (entry.isSocket()) return `${name} (socket)`;
  if (!entry.isFile()) return `${name} (device)`;
  const stats = await lstat(absolute).catch(() => undefined);
  return stats === undefined ? `${name} (gone)` : `${name}  ${showSize(stats.size)}`;
}

/** Names with control characters are quoted, so that each entry keeps to its line. */
const showName = (name: string): string => (/[\0-\x1f\x7f]/.test(name) ? JSON.stringify(name) : name);

function linkTarget(absolute: string, { workspace }: ToolContext): string {
  try {
    const { real, inside } = workspace.resolve(absolute);
    return inside ? showName(workspace.resolve(real).display) : "(outside of the workspace)";
  } catch {
    return "(a circle of links)";
  }
}

function summary({ shown, ignored, hidden, top }: FolderTree): string {
  const parts = [
    top.cut + shown + ignored + hidden === 0 ? "empty folder" : count(shown, "entry", "entries"),
  ];
  if (ignored > 0) parts.push(`${ignored} ignored left out`);
  if (hidden > 0) parts.push(`${hidden} hidden by permission rules`);
  return parts.join(" · ");
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
