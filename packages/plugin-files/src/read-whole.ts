import type { Buffer } from "node:buffer";
import { type ResolvedPath, ToolError } from "@toycoder/core";
import { fileSource, readToEnd } from "./byte-source.ts";
import { showSize } from "./file-kind.ts";
import type { OpenFile } from "./open-file.ts";

/** What edit_file and write_file take into memory at most. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The whole content of an open file. Throws a ToolError `too_large`. */
export async function readWhole({ handle, stats }: OpenFile, { display }: ResolvedPath): Promise<Buffer> {
  const size = Number(stats.size);
  if (size > MAX_BYTES) {
    throw new ToolError(
      "too_large",
      `${display} has ${showSize(size)}; at most ${showSize(MAX_BYTES)} can be changed`,
      {
        hint: "change it with a command such as sed",
      },
    );
  }
  if (size === 0) return await readToEnd(handle, MAX_BYTES);
  const source = await fileSource(handle, size);
  return await source.read(0, size);
}
