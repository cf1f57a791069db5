import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { IgnoreRules } from "./ignore-rules.ts";

/** A folder in a listing. Entries that are left out are counted by reason. */
export interface FolderNode {
  absolute: string;
  entries: { entry: Dirent; folder?: FolderNode }[];
  /** Entries beyond the listing's cap. */
  cut: number;
  unreadable: boolean;
}

export interface FolderTree {
  top: FolderNode;
  shown: number;
  ignored: number;
  hidden: number;
}

export interface TreeOptions {
  rules: IgnoreRules;
  mayRead: (path: string) => boolean;
  /** Levels of folders to open. */
  depth: number;
  /** Entries to take at most; near levels come first. */
  limit: number;
  signal: AbortSignal;
}

/** Reads a folder and those beneath it, level by level. Rejects where the top cannot be read. */
export async function readFolderTree(absolute: string, options: TreeOptions): Promise<FolderTree> {
  const { mayRead, depth, limit, signal } = options;
  const tree: FolderTree = { top: newNode(absolute), shown: 0, ignored: 0, hidden: 0 };
  let level = [{ node: tree.top, rules: options.rules }];
  for (let at = 1; at <= depth; at++) {
    const next: typeof level = [];
    for (const { node, rules } of level) {
      signal.throwIfAborted();
      const entries = await readSorted(node, node === tree.top);
      for (const entry of entries) {
        const child = path.join(node.absolute, entry.name);
        if (!mayRead(child)) tree.hidden++;
        else if (rules.ignores(child, entry.isDirectory())) tree.ignored++;
        else if (tree.shown === limit) node.cut++;
        else {
          tree.shown++;
          if (!entry.isDirectory() || at === depth) node.entries.push({ entry });
          else {
            const folder = newNode(child);
            node.entries.push({ entry, folder });
            next.push({ node: folder, rules: await rules.enter(child) });
          }
        }
      }
    }
    level = next;
  }
  return tree;
}

const newNode = (absolute: string): FolderNode => ({ absolute, entries: [], cut: 0, unreadable: false });

/** Folders first, then by name. */
async function readSorted(node: FolderNode, isTop: boolean): Promise<Dirent[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(node.absolute, { withFileTypes: true });
  } catch (error) {
    if (isTop) throw error;
    node.unreadable = true;
    return [];
  }
  return entries.sort(
    (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1),
  );
}
