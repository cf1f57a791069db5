import { lstatSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { type ResolvedPath, type ToolContext, ToolError } from "@toycoder/core";

/** Folders that a search leaves out unless they are named. */
const SKIPPED: readonly string[] = [".git", "node_modules", "__pycache__", ".venv", "venv", ".tox"];

/** Where a search goes on. */
export interface SearchScope {
  /** The real folder that ripgrep runs in. */
  cwd: string;
  /** The file in it, where one file alone is searched. */
  file: string | undefined;
  /** What stands before ripgrep's paths in results: "" for the workspace's root. */
  prefix: string;
  display: string;
}

/** The scope for a path. Throws a ToolError `not_found` or `not_a_file`. */
export async function searchScope(given: string, ctx: ToolContext): Promise<SearchScope> {
  const place = ctx.workspace.resolve(given);
  const stats = await statOf(given, place);
  const { display } = place;
  if (stats.isDirectory()) return { cwd: place.real, file: undefined, prefix: prefixOf(display), display };
  if (!stats.isFile()) throw new ToolError("not_a_file", `${display} is neither a file nor a folder`);
  const folder = prefixOf(path.posix.dirname(display));
  return { cwd: path.dirname(place.real), file: path.basename(place.real), prefix: folder, display };
}

const prefixOf = (display: string): string =>
  display === "." ? "" : display.endsWith("/") ? display : `${display}/`;

async function statOf(given: string, { absolute, real, display }: ResolvedPath): Promise<Stats> {
  try {
    return await stat(real);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = code === "ENOENT" || code === "ENOTDIR";
    const broken = missing && lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    const words = broken
      ? `the symbolic link ${given} leads to nowhere`
      : missing
        ? `there is no ${display}`
        : `${display} cannot be read`;
    throw new ToolError(code === "EACCES" ? "not_permitted" : "not_found", words, {
      cause: error,
      hint: "list_dir shows what is there",
    });
  }
}

/** ripgrep's options for which files it looks at; `names` are patterns, whose folders are not left out. */
export function scopeArgs(names: readonly string[], hidden: boolean): string[] {
  // A person's own ignore rules would make results differ from one machine to another.
  const args = ["--no-config", "--no-require-git", "--no-ignore-global", "--no-ignore-exclude"];
  if (hidden) args.push("--hidden");
  for (const folder of SKIPPED) {
    if (!names.some((name) => name.split(/[/{},]/).includes(folder))) args.push("--glob", `!${folder}`);
  }
  return args;
}
