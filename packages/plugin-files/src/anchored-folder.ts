import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toycoder/core";

/** A folder held open: on Linux, what is reached through it stays in it, whatever becomes of the names above it. */
export interface AnchoredFolder {
  /** The path of an entry. */
  at(name: string): string;
  /** Makes what happened to its entries durable, where the system can. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Opens the folder at a real path, and makes it where it is missing. Throws a ToolError `changed_path` where a part
 * of the path has become a symbolic link, and the file system's errors.
 */
export async function anchorFolder(folder: string): Promise<AnchoredFolder> {
  const missing: string[] = [];
  let existing = folder;
  let anchor: AnchoredFolder | undefined;
  while (anchor === undefined) {
    try {
      anchor = await openAnchor(existing, existing);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || path.dirname(existing) === existing)
        throw error;
      missing.unshift(path.basename(existing));
      existing = path.dirname(existing);
    }
  }
  for (const name of missing) {
    existing = path.join(existing, name);
    const parent: AnchoredFolder = anchor;
    try {
      await mkdir(parent.at(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      anchor = await openAnchor(parent.at(name), existing);
    } finally {
      await parent.close();
    }
  }
  return anchor;
}

/** Opens `way` and makes sure that it is the folder whose real path is `real`. */
async function openAnchor(way: string, real: string): Promise<AnchoredFolder> {
  const handle = await open(way, FOLDER).catch(async (error: unknown) => {
    const stats = await lstat(way).catch(() => undefined);
    throw stats?.isSymbolicLink() === true ? changedPath(real) : error;
  });
  try {
    const through = `/proc/self/fd/${handle.fd}`;
    const found = await readlink(through).catch(() => undefined);
    if ((found ?? (await realpath(real))) !== real) throw changedPath(real);
    return anchored(handle, found === undefined ? real : through);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const anchored = (handle: FileHandle, base: string): AnchoredFolder => ({
  at: (name) => path.join(base, name),
  sync: () => handle.sync().catch(() => {}),
  close: () => handle.close(),
});

const changedPath = (real: string): ToolError =>
  new ToolError("changed_path", `${path.basename(real)}: a folder of the path is no longer what it was`, {
    hint: "look at the folder again before you write there",
  });
