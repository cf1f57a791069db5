import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { TextDecoder } from "node:util";

/** Bytes of all files together; what comes after is left out. */
const MAX_BYTES = 32 * 1024;
const NAME = "AGENTS.md";

/** What the AGENTS.md files of a workspace say. */
export interface ProjectInstructions {
  /** For the system prompt; empty where there are none. */
  text: string;
  /** What was left out, in words. */
  notes: string[];
}

/**
 * The `AGENTS.md` files from the workspace's `root` down to `folder`, which lies in it, the outermost first. A link
 * that leads out of the workspace, and what is no file, is left out. Never throws.
 */
export function projectInstructions(root: string, folder: string = root): ProjectInstructions {
  const texts: string[] = [];
  const notes: string[] = [];
  let left = MAX_BYTES;
  for (const place of foldersBetween(root, folder)) {
    const name = path.join(place, NAME).replaceAll(path.sep, "/");
    try {
      const found = readStart(root, path.join(root, place, NAME), left);
      if (found === undefined) continue;
      left -= found.bytes;
      if (found.text !== "") texts.push(`# ${name}\n\n${found.text}`);
      if (found.cut) notes.push(`${name} is cut: ${MAX_BYTES / 1024} KB of instructions are read at most`);
    } catch (error) {
      notes.push(`${name} cannot be read: ${(error as Error).message}`);
    }
  }
  const text = texts.length === 0 ? "" : `Instructions of the project:\n\n${texts.join("\n\n")}`;
  return { text, notes };
}

/** `root`'s own ".", then each folder on the way; only the root where `folder` lies elsewhere. */
function foldersBetween(root: string, folder: string): string[] {
  const way = path.relative(root, folder);
  const outside = way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
  const names = way === "" || outside ? [] : way.split(path.sep);
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join(path.sep))];
}

/** The file's text, as much as `limit` bytes hold at whole characters; undefined where there is none. */
function readStart(
  root: string,
  file: string,
  limit: number,
): { text: string; bytes: number; cut: boolean } | undefined {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const real = realpathSync.native(file);
  if (path.relative(root, real).split(path.sep)[0] === "..") return undefined;
  const descriptor = openSync(real, "r");
  try {
    const bytes = new Uint8Array(limit + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    const cut = length > limit;
    const kept = bytes.subarray(0, Math.min(length, limit));
    return { text: new TextDecoder().decode(kept, { stream: cut }).trim(), bytes: kept.length, cut };
  } finally {
    closeSync(descriptor);
  }
}
