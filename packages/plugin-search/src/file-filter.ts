import { Buffer } from "node:buffer";
import path from "node:path";
import type { ToolContext } from "@toycoder/core";
import { compileGlob, nameGlob, splitGlobs } from "./glob-pattern.ts";
import { type RipgrepEnd, runRipgrep } from "./run-ripgrep.ts";
import { scopeArgs, type SearchScope } from "./search-scope.ts";

/** Which files a search looks at. */
export interface FileFilter {
  /** ripgrep's options, which may let through more. */
  args: string[];
  /** The rest of the test, by the path relative to the scope. */
  accepts: (path: string) => boolean;
}

/**
 * The filter for `include`: globs, comma-separated, a `!` before those to leave out. Ignore rules still hold for
 * what they match, which is why they don't become ripgrep's own `--glob`.
 */
export function fileFilter(include: string | undefined, fileType: string | undefined): FileFilter {
  const globs = splitGlobs(include ?? "");
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const unwanted = globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const args = scopeArgs(wanted, true);
  const names = wanted.map(nameGlob);
  if (fileType !== undefined) args.push("--type", fileType);
  else if (names.length > 0 && names.every((name) => name !== undefined)) {
    // Types, unlike `--glob`, don't bring ignored files back.
    for (const name of names) args.push("--type-add", `toycoder:${name}`);
    args.push("--type", "toycoder");
  }
  const within = wanted.map((glob) => compileGlob(glob, { dot: true }));
  const without = unwanted.map((glob) => compileGlob(glob, { dot: true }));
  return {
    args,
    accepts: (file) =>
      (within.length === 0 || within.some((test) => test(file))) && !without.some((test) => test(file)),
  };
}

/** Lists the files that ripgrep would look at, as paths relative to `cwd`, some at a time. Gives how that ended. */
export async function listFiles(run: {
  program: string;
  args: readonly string[];
  cwd: string;
  signal: AbortSignal;
  timeoutMs: number;
  onPaths: (paths: string[]) => void;
  onDebug?: (line: string) => void;
  /** Paths without this text may be left out. */
  needle?: string | undefined;
}): Promise<RipgrepEnd> {
  let rest = Buffer.alloc(0);
  const onOutput = (chunk: Buffer): void => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const last = bytes.lastIndexOf(0);
    rest = Buffer.from(bytes.subarray(last + 1));
    if (last === -1 || (run.needle !== undefined && !bytes.includes(run.needle))) return;
    const paths = bytes.toString("utf8", 0, last).split("\0");
    run.onPaths(paths.map((one) => one.slice(2)));
  };
  return await runRipgrep({ ...run, args: [...run.args, "--files", "--null", "--", "./"], onOutput });
}

/** Whether the tool may show a path that is relative to the scope. */
export const readable =
  (scope: SearchScope, ctx: ToolContext): ((file: string) => boolean) =>
  (file) =>
    !ctx.hidesPaths || ctx.mayRead(path.join(scope.cwd, file));
