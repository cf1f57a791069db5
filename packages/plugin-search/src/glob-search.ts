import { defineTool, type Tool, type ToolContext, ToolError } from "@toycoder/core";
import { z } from "zod";
import { listFiles, readable } from "./file-filter.ts";
import { compileGlob, nameGlob } from "./glob-pattern.ts";
import { narrowGlob } from "./narrow-glob.ts";
import { newestFirst } from "./newest-first.ts";
import { checkEnd } from "./ripgrep-error.ts";
import { ripgrepPath } from "./ripgrep-path.ts";
import type { RipgrepEnd } from "./run-ripgrep.ts";
import { count, searchNotes, showPath } from "./search-notes.ts";
import { DEFAULT_TIMEOUT_SECONDS, type SearchOptions } from "./search-options.ts";
import { scopeArgs, type SearchScope, searchScope } from "./search-scope.ts";

const input = z.object({
  pattern: z.string().describe("Glob: src/**/*.{ts,tsx}; without / any depth"),
  path: z.string().default(".").describe("Folder"),
  limit: z.number().int().min(1).max(5000).default(50).describe("Max files"),
});

export interface GlobSearchInput {
  pattern: string;
  path: string;
  limit: number;
}

/** `glob_search`: files by name, newest first. */
export function makeGlobSearch(options: SearchOptions = {}): Tool<GlobSearchInput, string> {
  const timeoutMs = 1000 * (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);
  return defineTool({
    name: "glob_search",
    description:
      "Find workspace files by name; returns paths, newest first, and how many more. Dotfiles and ignored files if named.",
    input,
    permission: "safe",
    category: "search",
    tags: ["find", "ls", "查找文件"],
    effects: ({ path }) => [{ kind: "read", path, recursive: true, filtered: true }],
    timeoutMs: timeoutMs + 10_000,
    execute: async ({ pattern, path: given, limit }, ctx) => {
      const scope = await searchScope(given, ctx);
      if (scope.file !== undefined) {
        throw new ToolError("not_a_directory", `${scope.display} is a file`, {
          hint: "read_file reads files",
        });
      }
      const { within, rest, literal } = narrowGlob(pattern, scope, ctx);
      const listing = { program: await ripgrepPath(options.ripgrepPath), within, ctx, timeoutMs };
      let found = await listMatching(listing, rest, false);
      if (found.files.length === 0 && literal === undefined && namesFile(rest)) {
        found = await listMatching(listing, rest, true);
      }
      const files = found.files.map((file) => within.prefix + file);
      if (literal !== undefined && !files.includes(scope.prefix + literal))
        files.unshift(scope.prefix + literal);
      const head =
        files.length === 0 ? `no files match ${pattern} in ${scope.display}` : headline(files.length, limit);
      const notes = searchNotes({ ...found, timeoutMs });
      return [`[${head}]`, ...files.slice(0, limit).map(showPath), ...notes].join("\n");
    },
  });
}

/** `glob_search` with its default options. */
export const globSearch: Tool<GlobSearchInput, string> = makeGlobSearch();

interface Listing {
  program: string;
  within: SearchScope;
  ctx: ToolContext;
  timeoutMs: number;
}

/** Matching files, newest first; `hidden` counts all that permission rules hide, whatever their names. */
async function listMatching(
  { program, within, ctx, timeoutMs }: Listing,
  rest: string | undefined,
  ignored: boolean,
): Promise<{ files: string[]; hidden: number; end: RipgrepEnd }> {
  if (rest === undefined) return { files: [], hidden: 0, end: { code: 1, timedOut: false, errors: "" } };
  const args = scopeArgs([rest], /(?:^|[/{,])\.(?!\/)/.test(rest));
  if (ignored) args.push("--no-ignore");
  const name = ctx.hidesPaths ? undefined : nameGlob(rest);
  if (name !== undefined) args.push("--type-add", `toycoder:${name}`, "--type", "toycoder");
  const { paths, end } = await listFiles({ program, args, cwd: within.cwd, signal: ctx.signal, timeoutMs });
  checkEnd(end, rest);
  const shown = paths.filter(readable(within, ctx));
  const matching = shown.filter(compileGlob(rest, { dot: false }));
  return {
    files: await newestFirst(matching, within.cwd, ctx.signal),
    hidden: paths.length - shown.length,
    end,
  };
}

/** Whether the pattern spells a file's name out: then it may be an ignored one. */
const namesFile = (rest: string | undefined): boolean =>
  rest !== undefined && !/[*?[{\\]/.test(rest.slice(rest.lastIndexOf("/") + 1));

const headline = (files: number, limit: number): string =>
  files <= limit
    ? `${count(files, "file")}, newest first`
    : `${count(files, "file")}, newest first; the first ${limit}, ${files - limit} more`;
