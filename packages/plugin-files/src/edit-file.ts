import { defineTool, type ResolvedPath, type Tool, ToolError } from "@toycoder/core";
import { z } from "zod";
import { applyEdits, type Edit, type Edited, linesOf } from "./apply-edits.ts";
import { unifiedDiff } from "./diff.ts";
import { decodeUnits, SNIFF_BYTES, sniffEncoding } from "./encoding.ts";
import { fileError } from "./file-error.ts";
import { openRegular } from "./open-file.ts";
import { binaryFile } from "./read-file.ts";
import { readWhole } from "./read-whole.ts";
import { replaceFile } from "./replace-file.ts";
import { checkFresh } from "./seen-files.ts";
import { writable } from "./write-target.ts";

const input = z.object({
  path: z.string().describe("File"),
  old_string: z.string().optional().describe("Exact text, once in it"),
  new_string: z.string().optional().describe("Replacement"),
  replace_all: z.boolean().optional().describe("Everywhere"),
  edits: z
    .array(z.object({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() }))
    .optional()
    .describe("Instead: several, all or none"),
});

/** What `edit_file` takes. */
export interface EditFileInput {
  path: string;
  old_string?: string | undefined;
  new_string?: string | undefined;
  replace_all?: boolean | undefined;
  edits?: readonly Edit[] | undefined;
}

/** `requireRead`: files that the session has not read are refused (`not_read`). */
export interface EditFileOptions {
  requireRead?: boolean;
}

/** `edit_file`: replaces exact text by a splice of bytes; all bytes around it stay. */
export function makeEditFile({ requireRead = false }: EditFileOptions = {}): Tool<EditFileInput, string> {
  return defineTool({
    name: "edit_file",
    description: "Replace exact text in a workspace file (\\n is any line end); returns a diff.",
    input,
    permission: "sensitive",
    category: "file_io",
    tags: ["replace", "change", "patch", "编辑文件"],
    effects: ({ path }) => [{ kind: "write", path }],
    execute: async (input, ctx) => {
      const edits = editsOf(input);
      const file = writable(input.path, ctx);
      const opened = await openRegular(file, ctx.mayRead.bind(ctx));
      try {
        const before = await readWhole(opened, file);
        const seen = checkFresh(ctx, file, opened.stats, before);
        if (!seen && requireRead) {
          throw new ToolError("not_read", `${file.display} was not read in this session`, {
            hint: "read it with read_file first",
          });
        }
        const sniffed = sniffEncoding(before);
        if (sniffed === undefined) throw binaryFile(file, before.subarray(0, SNIFF_BYTES), before.length);
        const edited = applyEdits(before, sniffed.encoding, edits, file);
        if (edited.bytes.equals(before)) {
          throw new ToolError("no_change", `the edits leave ${file.display} as it is`);
        }
        await replaceFile(ctx, file, { before, stats: opened.stats, after: edited.bytes });
        return await report(file, edited, seen);
      } catch (error) {
        throw fileError(error, file.display);
      } finally {
        await opened.handle.close();
      }
    },
  });
}

/** `edit_file` with its default options. */
export const editFile: Tool<EditFileInput, string> = makeEditFile();

function editsOf({ edits, old_string, new_string, replace_all }: EditFileInput): readonly Edit[] {
  const single = old_string !== undefined || new_string !== undefined;
  if (edits !== undefined && edits.length > 0) {
    if (single && (old_string !== "" || (new_string ?? "") !== "")) {
      throw new ToolError("invalid_arguments", "give either old_string and new_string, or edits, not both");
    }
    return edits;
  }
  if (old_string === undefined || new_string === undefined) {
    const missing = single
      ? old_string === undefined
        ? "old_string"
        : "new_string"
      : "old_string and new_string (or edits)";
    throw new ToolError("invalid_arguments", `${missing} is missing`);
  }
  return [{ old_string, new_string, replace_all }];
}

async function report(file: ResolvedPath, edited: Edited, seen: boolean): Promise<string> {
  const { before, after, regions, encoding, count } = edited;
  const [line] = linesOf(
    before,
    regions.slice(0, 1).map(({ beforeStart }) => ({ start: beforeStart })),
  );
  const places =
    count === 1 ? `1 replacement, line ${line}` : `${count} replacements, the first in line ${line}`;
  const unseen = seen ? "" : "; it was not read in this session before";
  const show = (text: string): string => decodeUnits(text, encoding);
  const diff = await unifiedDiff({ path: file.display, before, after, regions, show });
  return `edited ${file.display}: ${places}${unseen}\n${diff}`;
}
