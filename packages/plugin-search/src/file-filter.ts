import path from "node:path";
import type { ToolContext } from "@toycoder/core";
import { compileGlob, nameGlob, splitGlobs } from "./glob-pattern.ts";
import { runRipgrep } from "./run-ripgrep.ts";
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

/** The paths, relative to `cwd`, of the files that ripgrep would look at. `ended` says how that went. */
export async function listFiles(run: {
  program: string;
  args: readonly string[];
  cwd: string;
  signal: AbortSignal;
  timeoutMs: number;
}): Promise<{ paths: string[]; end: Awaited<ReturnType<typeof runRipgrep>> }> {
  const chunks: Buffer[] = [];
  const args = [...run.args, "--files", "--null", "--", "./"];
  const end = await runRipgrep({ ...run, args, onOutput: (chunk) => void chunks.push(chunk) });
  const output = Buffer.concat(chunks).toString("utf8");
  const paths = output.slice(0, output.lastIndexOf("\0") + 1).split("\0");
  paths.pop();
  return { paths: paths.map((one) => one.slice(2)), end };
}

/** Whether the tool may show a path that is relative to the scope. */
export const readable =
  (scope: SearchScope, ctx: ToolContext): ((file: string) => boolean) =>
  (file) =>
    !ctx.hidesPaths || ctx.mayRead(path.join(scope.cwd, file));
