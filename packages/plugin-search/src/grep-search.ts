import type { Buffer } from "node:buffer";
import { defineTool, type Tool, type ToolContext, ToolError } from "@toycoder/core";
import { z } from "zod";
import { centreLongLines } from "./centre-long-lines.ts";
import { CountParser } from "./count-parser.ts";
import { fileFilter, listFiles, readable } from "./file-filter.ts";
import { type Found, grepReport } from "./grep-report.ts";
import { hiddenParter } from "./hidden-files.ts";
import { MatchCollector } from "./match-collector.ts";
import { MatchParser } from "./match-parser.ts";
import { parentRules } from "./parent-rules.ts";
import { checkEnd, type Remedy, remedyFor } from "./ripgrep-error.ts";
import { ripgrepPath } from "./ripgrep-path.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { DEFAULT_TIMEOUT_SECONDS, type SearchOptions } from "./search-options.ts";
import { type SearchScope, searchScope } from "./search-scope.ts";

const input = z.object({
  pattern: z.string().describe("Regex"),
  path: z.string().default(".").describe("Folder or file"),
  include: z.string().optional().describe("Globs: *.{ts,tsx},!*.test.ts"),
  context: z.number().int().min(0).max(50).optional().describe("Lines around"),
  limit: z.number().int().min(1).max(5000).default(50).describe("Max lines"),
  ignore_case: z.boolean().optional().describe("Any case"),
  fixed_strings: z.boolean().optional().describe("Plain text"),
  multiline: z.boolean().optional().describe("Across lines"),
  file_type: z.string().optional().describe("ts, py"),
  output_mode: z.enum(["content", "files", "count"]).optional().describe("Result"),
});

/** What `grep_search` takes. */
export interface GrepSearchInput {
  pattern: string;
  path: string;
  include?: string | undefined;
  context?: number | undefined;
  limit: number;
  ignore_case?: boolean | undefined;
  fixed_strings?: boolean | undefined;
  multiline?: boolean | undefined;
  file_type?: string | undefined;
  output_mode?: "content" | "files" | "count" | undefined;
}

const RECOUNT_AFTER_MS = 30_000;
/** A look at a few files: it is never to use up what the time limit of the call leaves beyond that of the search. */
const MAX_SECOND_LOOK_MS = 5000;

/** `grep_search`: lines of files that match a regular expression, with ripgrep. */
export function makeGrepSearch(options: SearchOptions = {}): Tool<GrepSearchInput, string> {
  const timeoutMs = 1000 * (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);
  return defineTool({
    name: "grep_search",
    description:
      "Search text in workspace files; returns path:line: text, sorted, and how many more. Skips ignored and binary files.",
    input,
    permission: "safe",
    category: "search",
    tags: ["rg", "find text", "搜索代码"],
    effects: ({ path }) => [{ kind: "read", path, recursive: true, filtered: true }],
    timeoutMs: timeoutMs + 10_000,
    execute: async (given, ctx) => {
      checkPattern(given.pattern);
      const [scope, program] = await Promise.all([
        searchScope(given.path, ctx),
        ripgrepPath(options.ripgrepPath),
      ]);
      const above = parentRules(scope.cwd, ctx);
      try {
        const search = { given, ctx, scope, program, timeoutMs, above: above.args };
        const [found, hidden] = await Promise.all([grep(search), countHidden(search)]);
        return grepReport(given.output_mode ?? "content", scope, { ...found, hidden }, timeoutMs);
      } finally {
        above.remove();
      }
    },
  });
}

/** `grep_search` with its default options. */
export const grepSearch: Tool<GrepSearchInput, string> = makeGrepSearch();

function checkPattern(pattern: string): void {
  if (pattern === "") throw new ToolError("invalid_regex", "the pattern is empty");
  if (pattern.includes("\0")) throw new ToolError("invalid_regex", "the pattern holds a NUL character");
}

interface Search {
  given: GrepSearchInput;
  ctx: ToolContext;
  scope: SearchScope;
  program: string;
  timeoutMs: number;
  /** Options for the rules above the scope. */
  above: readonly string[];
}

async function grep(search: Search, remedies: readonly Remedy[] = []): Promise<Omit<Found, "hidden">> {
  const { given, ctx, scope, program, timeoutMs, above } = search;
  const { output_mode: mode = "content" } = given;
  const filter = fileFilter(given.include, given.file_type);
  const mayShow = readable(scope, ctx);
  const accepts = (file: string): boolean =>
    (scope.file !== undefined || filter.accepts(file)) && mayShow(file);
  const collector = new MatchCollector({ limit: given.limit, context: given.context ?? 0, accepts });
  const parser = mode === "content" ? new MatchParser(collector) : new CountParser(accepts, given.limit);
  const patternArgs = [...modeArgs(given, remedies), "--regexp", given.pattern];
  const args = [...above, ...filter.args, ...patternArgs, "--", `./${scope.file ?? ""}`];
  const onOutput = (chunk: Buffer): void => parser.push(chunk);
  const end = await runRipgrep({ program, args, cwd: scope.cwd, signal: ctx.signal, timeoutMs, onOutput });
  const remedy = given.fixed_strings ? undefined : remedyFor(end);
  if (remedy !== undefined && !remedies.includes(remedy)) return await grep(search, [...remedies, remedy]);
  checkEnd(end, given.pattern);
  if (parser instanceof CountParser) return { ...parser.finish(), end };
  if (!end.timedOut) parser.end();
  const found = collector.finish();
  await centreLongLines(found.files, {
    program,
    args: patternArgs,
    cwd: scope.cwd,
    signal: ctx.signal,
    timeoutMs: Math.min(timeoutMs, MAX_SECOND_LOOK_MS),
  });
  return { ...found, end };
}

function modeArgs(given: GrepSearchInput, remedies: readonly Remedy[]): string[] {
  const { output_mode: mode = "content", context = 0 } = given;
  const args = ["--color", "never", "--with-filename", "--null", "--crlf"];
  if (mode !== "content") args.push("--count");
  else args.push("--no-heading", "--line-number");
  if (mode === "content" && context > 0) args.push("--no-context-separator", "--context", String(context));
  if (given.ignore_case) args.push("--ignore-case");
  if (given.fixed_strings) args.push("--fixed-strings");
  if (given.multiline || remedies.includes("multiline")) args.push("--multiline", "--multiline-dotall");
  if (remedies.includes("pcre2")) args.push("--pcre2");
  return args;
}

/**
 * How many of the files in question are hidden. All are counted, not those that match: that would tell of them. A
 * count is taken again after a while only: it costs a listing of the whole folder.
 */
async function countHidden({ given, ctx, scope, program, timeoutMs, above }: Search): Promise<number> {
  if (!ctx.hidesPaths || scope.file !== undefined) return 0;
  const counts = ctx.state("search:hidden") as Map<string, { hidden: number; at: number }>;
  const key = JSON.stringify([scope.cwd, given.include, given.file_type]);
  const known = counts.get(key);
  if (known !== undefined && performance.now() - known.at < RECOUNT_AFTER_MS) return known.hidden;
  const filter = fileFilter(given.include, given.file_type);
  const part = hiddenParter(scope.cwd, ctx);
  let hidden = 0;
  const onPaths = (paths: string[]): void => {
    hidden += part(paths.filter(filter.accepts)).hidden;
  };
  const { cwd } = scope;
  const args = [...above, ...filter.args];
  const end = await listFiles({ program, args, cwd, signal: ctx.signal, timeoutMs, onPaths });
  if (!end.timedOut) counts.set(key, { hidden, at: performance.now() });
  return hidden;
}
