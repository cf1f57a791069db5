import type { Buffer } from "node:buffer";
import { realpath } from "node:fs/promises";
import {
  type ContentPart,
  defineTool,
  type ResolvedPath,
  type Tool,
  type ToolContext,
  ToolError,
} from "@toycoder/core";
import { imageType } from "@toycoder/core/wire";
import { z } from "zod";
import { type ByteSource, fileSource, memorySource, readToEnd } from "./byte-source.ts";
import { type Encoding, SNIFF_BYTES, sniffEncoding } from "./encoding.ts";
import { fileError } from "./file-error.ts";
import { binaryKind, isPdf, showSize } from "./file-kind.ts";
import { buildLineIndex, type LineIndex } from "./line-index.ts";
import { type OpenFile, openRegular } from "./open-file.ts";
import { identityOf, rememberSeen } from "./seen-files.ts";
import { readPage } from "./text-page.ts";

const MAX_IMAGE_BYTES = 3_750_000;
/** Of files without a known size, as under /proc. */
const MAX_UNSIZED_BYTES = 8 * 1024 * 1024;
const MAX_INDEXES = 32;

const input = z.object({
  path: z.string().describe("File, or session:NAME"),
  offset: z.number().int().min(1).max(1e9).optional().describe("First line"),
  limit: z.number().int().min(1).max(5000).default(200).describe("Lines"),
  column: z.number().int().min(1).max(1e9).optional().describe("Byte in a cut line"),
});

/** Lines and columns count from 1; `column` is in bytes. */
export interface ReadFileInput {
  path: string;
  offset?: number | undefined;
  limit: number;
  column?: number | undefined;
}

/** A page of text as the model sees it, or an image. */
export type ReadFileOutput = string | { path: string; image: { mediaType: string; data: string } };

/** `read_file`: a page of a text file, or an image. Memory doesn't grow with the file. */
export const readFile: Tool<ReadFileInput, ReadFileOutput> = defineTool({
  name: "read_file",
  description: "Read a workspace text file as numbered lines, or an image.",
  input,
  permission: "safe",
  category: "file_io",
  tags: ["view", "open", "cat", "读取文件"],
  effects: ({ path }) => (isSpilled(path) ? [] : [{ kind: "read", path }]),
  execute: async (input, ctx) => {
    const file = await locate(input.path, ctx);
    const opened = await openRegular(file, (one) => isSpilled(input.path) || ctx.mayRead(one));
    try {
      return await readOpened(input, file, opened, ctx);
    } catch (error) {
      throw fileError(error, file.display);
    } finally {
      await opened.handle.close();
    }
  },
  toModel: (output): string | ContentPart[] =>
    typeof output === "string"
      ? output
      : [
          { type: "text", text: `[${output.path} · ${output.image.mediaType}]` },
          { type: "image", ...output.image },
        ],
});

/** The folder of kept results may lie behind a link, which is followed here as the workspace follows its own. */
async function locate(path: string, ctx: ToolContext): Promise<ResolvedPath> {
  const file = ctx.resolve(path);
  if (!isSpilled(path)) return file;
  return { ...file, real: await realpath(file.real).catch(() => file.real) };
}

const isSpilled = (path: string): boolean => path.startsWith("session:");

async function readOpened(
  { offset = 1, limit, column = 1 }: ReadFileInput,
  file: ResolvedPath,
  { handle, stats }: OpenFile,
  ctx: ToolContext,
): Promise<ReadFileOutput> {
  const size = Number(stats.size);
  const source =
    size === 0 ? memorySource(await readToEnd(handle, MAX_UNSIZED_BYTES)) : await fileSource(handle, size);
  const head = await source.read(0, SNIFF_BYTES);
  const mediaType = imageType(head);
  if (mediaType !== undefined) return await readImage(source, file, mediaType);
  const sniffed = sniffEncoding(head);
  if (sniffed === undefined || isPdf(head)) throw binaryFile(file, head, source.size);

  const index = await indexOf(file, stats, source, sniffed.encoding, ctx);
  rememberSeen(ctx, file, {
    identity: identityOf(stats),
    ...(index.hash !== undefined && { hash: index.hash }),
  });
  if (index.lines === 0) return `[${file.display} · empty file]`;
  if (offset > index.lines) {
    throw new ToolError(
      "no_such_line",
      `${file.display} has ${index.lines} lines; there is no line ${offset}`,
    );
  }
  const page = await readPage(source, index, { offset, limit, column, bom: sniffed.bom });
  const more = page.last < index.lines ? `\n[more: read on with offset ${page.last + 1}]` : "";
  const lines = `lines ${offset}-${page.last} of ${index.lines}`;
  return `[${file.display} · ${lines}${NOTES[page.encoding]}]\n${page.text}${more}${notebookNote(file)}`;
}

const NOTES: Readonly<Record<Encoding, string>> = {
  "utf-8": "",
  "utf-16le": " · UTF-16LE",
  "utf-16be": " · UTF-16BE",
  legacy: " · not UTF-8, shown as Latin-1",
};

const notebookNote = ({ display }: ResolvedPath): string =>
  display.endsWith(".ipynb")
    ? "\n[a Jupyter notebook: this is its JSON source, its cells in `cells`; `jupyter nbconvert` makes a script or Markdown of it]"
    : "";

async function indexOf(
  file: ResolvedPath,
  stats: OpenFile["stats"],
  source: ByteSource,
  encoding: Encoding,
  ctx: ToolContext,
): Promise<LineIndex> {
  const kept = ctx.state("files:lines") as Map<string, { identity: string; index: LineIndex }>;
  const identity = identityOf(stats);
  const found = kept.get(file.real);
  kept.delete(file.real);
  const index =
    found?.identity === identity && stats.size > 0n
      ? found.index
      : await buildLineIndex(source, encoding, ctx.signal);
  kept.set(file.real, { identity, index });
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_INDEXES) break;
    kept.delete(oldest);
  }
  return index;
}

async function readImage(source: ByteSource, file: ResolvedPath, mediaType: string): Promise<ReadFileOutput> {
  if (source.size > MAX_IMAGE_BYTES) {
    const size = `${showSize(source.size)}; at most ${showSize(MAX_IMAGE_BYTES)} can be shown`;
    throw new ToolError("image_too_large", `${file.display} is a ${mediaType} of ${size}`, {
      hint: "make a smaller copy and read that",
    });
  }
  const bytes = await source.read(0, source.size);
  return { path: file.display, image: { mediaType, data: bytes.toString("base64") } };
}

export function binaryFile({ display }: ResolvedPath, head: Buffer, size: number): ToolError {
  const { name, hint } = binaryKind(head);
  return new ToolError(
    "binary_file",
    `${display} is ${name} (${showSize(size)}), not text`,
    hint === undefined ? {} : { hint },
  );
}
