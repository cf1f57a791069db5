import path from "node:path";
import { defineTool, type Tool, type ToolContext, ToolError } from "@toycoder/core";
import { z } from "zod";
import { listFiles, readable } from "./file-filter.ts";
import { compileGlob, nameGlob } from "./glob-pattern.ts";
import { hiddenParter } from "./hidden-files.ts";
import { partLinks, passedOver } from "./linked-files.ts";
import { narrowGlob } from "./narrow-glob.ts";
import { NewestFiles } from "./newest-files.ts";
import { parentRules } from "./parent-rules.ts";
import { checkEnd } from "./ripgrep-error.ts";
import { ripgrepPath } from "./ripgrep-path.ts";
import type { RipgrepEnd } from "./run-ripgrep.ts";
import { count as counted, searchNotes, showPath } from "./search-notes.ts";
import { DEFAULT_TIMEOUT_SECONDS, type SearchOptions } from "./search-options.ts";
import { scopeArgs, type SearchScope, searchScope } from "./search-scope.ts";
import { countUnopenable } from "./unopenable.ts";

const input = z.object({
  pattern: z.string().describe("Glob: src/**/*.{ts,tsx}; no /: any depth"),
  path: z.string().default(".").describe("Folder"),
  limit: z.number().int().min(1).max(5000).default(50).describe("Files"),
  ignore_case: z.boolean().optional().describe("Any case"),
});

/** What `glob_search` takes. */
export interface GlobSearchInput {
  pattern: string;
  path: string;
  limit: number;
  ignore_case?: boolean | undefined;
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
    execute: async ({ pattern, path: given, limit, ignore_case: ignoreCase = false }, ctx) => {
      const scope = await searchScope(given, ctx);
      if (scope.file !== undefined) {
        throw new ToolError("not_a_directory", `${scope.display} is a file`, {
          hint: "read_file reads files",
        });
      }
      const { within, rest, literal } = narrowGlob(pattern, scope, ctx, ignoreCase);
      const program = await ripgrepPath(options.ripgrepPath);
      const listing = { program, within, ctx, timeoutMs, limit, ignoreCase };
      let found = await listMatching(listing, rest, false);
      if (found.count === 0 && literal === undefined && namesFile(rest)) {
        found = { ...(await listMatching(listing, rest, true)), lost: found.lost };
      }
      const files = found.newest.map((file) => within.prefix + file);
      let { count } = found;
      const named = literal === undefined ? undefined : scope.prefix + literal;
      if (named !== undefined && !files.includes(named)) {
        files.unshift(named);
        if (!found.matching.some((file) => within.prefix + file === named)) count++;
      }
      const head = count === 0 ? `no files match ${pattern} in ${scope.display}` : headline(count, limit);
      const unopenable = countUnopenable(found.newest, within.cwd);
      const notes = searchNotes({ ...found, timeoutMs, unopenable });
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
  limit: number;
  ignoreCase: boolean;
}

interface Listed {
  /** As many as may be shown, newest first. */
  newest: string[];
  /** All that match and may be shown, and how many of them are there. */
  matching: readonly string[];
  count: number;
  /** All that permission rules hide, whatever their names. */
  hidden: number;
  /** Symbolic links that match and lead to nothing that may be shown. */
  lost: string[];
  end: RipgrepEnd;
}

async function listMatching(listing: Listing, rest: string | undefined, ignored: boolean): Promise<Listed> {
  const { program, within, ctx, timeoutMs, limit, ignoreCase } = listing;
  if (rest === undefined) {
    const end = { code: 1, timedOut: false, errors: "" };
    return { newest: [], matching: [], count: 0, hidden: 0, lost: [], end };
  }
  const args = scopeArgs([rest], /(?:^|[/{,])\.(?!\/)/.test(rest));
  const test = compileGlob(rest, { dot: false, ignoreCase });
  const files = new NewestFiles(within.cwd);
  const part = hiddenParter(within.cwd, ctx);
  let hidden = 0;
  const onPaths = (paths: string[]): void => {
    const parted = part(paths);
    hidden += parted.hidden;
    files.add(parted.open.filter(test));
  };
  const needle = namesFile(rest) && !ctx.hidesPaths && !ignoreCase ? path.posix.basename(rest) : undefined;
  const links: string[] = [];
  const onDebug = (line: string): void => {
    const link = passedOver(line);
    if (link !== undefined && test(link)) links.push(link);
  };
  const run = { program, cwd: within.cwd, signal: ctx.signal, timeoutMs, onPaths, onDebug, needle };
  // ripgrep doesn't list symbolic links; under --debug it says which ones it passed over.
  const end = ignored
    ? await listFiles({ ...run, args: [...args, ...ignoredArgs(rest, listing)] })
    : await listUnignored({ ...run, args: [...args, "--debug"] }, ctx);
  checkEnd(end, rest);
  const linked = partLinks(links, within, ctx);
  files.add(linked.files);
  const newest = files.first(limit);
  const shown = newest.filter(readable(within, ctx));
  const since = newest.length - shown.length;
  return {
    newest: shown,
    matching: files.all,
    count: files.all.length - since,
    hidden: hidden + since,
    lost: linked.lost,
    end,
  };
}

/** A type narrows the listing of all that is ignored, but would leave out what is to be counted as hidden. */
function ignoredArgs(rest: string, { ctx, ignoreCase }: Listing): string[] {
  const name = ctx.hidesPaths || ignoreCase ? undefined : nameGlob(rest);
  return [
    "--no-ignore",
    ...(name === undefined ? [] : ["--type-add", `toycoder:${name}`, "--type", "toycoder"]),
  ];
}

async function listUnignored(run: Parameters<typeof listFiles>[0], ctx: ToolContext): Promise<RipgrepEnd> {
  const above = parentRules(run.cwd, ctx);
  try {
    return await listFiles({ ...run, args: [...run.args, ...above.args] });
  } finally {
    above.remove();
  }
}

/** Whether the pattern spells a file's name out: then it may be an ignored one. */
const namesFile = (rest: string | undefined): boolean =>
  rest !== undefined && !/[*?[{\\]/.test(rest.slice(rest.lastIndexOf("/") + 1));

const headline = (files: number, limit: number): string =>
  files <= limit
    ? `${counted(files, "file")}, newest first`
    : `${counted(files, "file")}, newest first; the first ${limit}, ${files - limit} more`;
