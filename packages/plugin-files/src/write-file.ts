import { Buffer } from "node:buffer";
import type { BigIntStats } from "node:fs";
import { defineTool, isToolError, type ResolvedPath, type Tool, type ToolContext } from "@toycoder/core";
import { z } from "zod";
import { unifiedDiff } from "./diff.ts";
import { decodeBytes, judgeBytes, sniffEncoding } from "./encoding.ts";
import { fileError } from "./file-error.ts";
import { showSize } from "./file-kind.ts";
import { openRegular } from "./open-file.ts";
import { changedRegion } from "./regions.ts";
import { replaceFile } from "./replace-file.ts";
import { checkFresh } from "./seen-files.ts";
import { readWhole } from "./read-whole.ts";
import { checkText, writable } from "./write-target.ts";

const input = z.object({
  path: z.string().describe("File"),
  content: z.string().describe("Whole content"),
});

/** What `write_file` takes. */
export interface WriteFileInput {
  path: string;
  content: string;
}

/** `write_file`: a whole file, new or replaced, written atomically. */
export const writeFile: Tool<WriteFileInput, string> = defineTool({
  name: "write_file",
  description: "Create a workspace file or replace all of it; returns a diff.",
  input,
  permission: "sensitive",
  category: "file_io",
  tags: ["create", "save", "写入文件"],
  effects: (input) => [{ kind: "write", path: input.path }],
  execute: async ({ path: given, content }, ctx) => {
    checkText(content, "content");
    const file = writable(given, ctx);
    const after = Buffer.from(content, "utf8");
    const old = await readOld(file, ctx);
    if (old !== undefined && old.bytes.equals(after))
      return `${file.display} already has this content; nothing was written`;
    await replaceFile(ctx, file, { before: old?.bytes ?? null, stats: old?.stats, after });
    const size = `${showSize(after.length)}, ${countLines(content)}`;
    const verb = old === undefined ? "created" : "wrote";
    return `${verb} ${file.display} (${size})\n${await diffOf(file.display, old?.bytes, content)}`;
  },
});

/** The file that is there, undefined where none is. Throws where the session knows an older state of it. */
async function readOld(
  file: ResolvedPath,
  ctx: ToolContext,
): Promise<{ bytes: Buffer; stats: BigIntStats } | undefined> {
  const opened = await openRegular(file, () => false).catch((error: unknown) => {
    if (isToolError(error) && error.code === "not_found") return undefined;
    throw error;
  });
  if (opened === undefined) return undefined;
  try {
    const bytes = await readWhole(opened, file);
    checkFresh(ctx, file, opened.stats, bytes);
    return { bytes, stats: opened.stats };
  } catch (error) {
    throw fileError(error, file.display);
  } finally {
    await opened.handle.close();
  }
}

async function diffOf(display: string, old: Buffer | undefined, after: string): Promise<string> {
  const before = old === undefined ? null : readable(old);
  if (before === undefined) return "(the file was binary before)";
  return await unifiedDiff({ path: display, before, after, regions: changedRegion(before ?? "", after) });
}

function readable(bytes: Buffer): string | undefined {
  const sniffed = sniffEncoding(bytes);
  if (sniffed === undefined) return undefined;
  return decodeBytes(bytes, sniffed.encoding === "utf-8" ? judgeBytes(bytes) : sniffed.encoding);
}

function countLines(content: string): string {
  const feeds = content.split("\n").length - 1;
  const lines = feeds + (content === "" || content.endsWith("\n") ? 0 : 1);
  return lines === 1 ? "1 line" : `${lines} lines`;
}
