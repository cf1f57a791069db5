import { lstatSync, statSync } from "node:fs";
import path from "node:path";
import { type ToolContext, ToolError } from "@toycoder/core";
import { followLink } from "./linked-files.ts";
import type { SearchScope } from "./search-scope.ts";

const WILD = /[*?[{\\]/;

export interface NarrowedGlob {
  /** The folder to list: the pattern's leading names without a wildcard are walked down, ignored ones too. */
  within: SearchScope;
  /** What is left of the pattern, for paths in that folder; undefined where the folder doesn't exist. */
  rest: string | undefined;
  /** The file that the whole pattern names, wildcards read as plain characters, relative to the first scope. */
  literal: string | undefined;
}

/**
 * Takes the plain folders off a pattern, but where case is ignored. Throws a ToolError `invalid_pattern` where it leads
 * out of the scope.
 */
export function narrowGlob(
  given: string,
  scope: SearchScope,
  ctx: ToolContext,
  ignoreCase: boolean,
): NarrowedGlob {
  const pattern = relativePattern(given, scope);
  if (ignoreCase) return { within: scope, rest: pattern, literal: undefined };
  const literal = literalFile(pattern, scope, ctx);
  const names = pattern.replace(/^(?:\.\/)+/, "").split("/");
  const wild = names.findIndex((name) => WILD.test(name));
  const plain = names.slice(0, wild === -1 ? names.length - 1 : wild);
  if (plain.length === 0) return { within: scope, rest: pattern, literal };

  const folder = path.join(scope.cwd, ...plain);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return { within: scope, rest: undefined, literal };
  const { real } = ctx.workspace.resolve(folder);
  if (!isWithin(scope.cwd, real) || !ctx.mayRead(folder)) return { within: scope, rest: pattern, literal };
  const prefix = `${scope.prefix}${plain.join("/")}/`;
  const within = { cwd: real, file: undefined, prefix, display: prefix.slice(0, -1) };
  return { within, rest: `./${names.slice(plain.length).join("/")}`, literal };
}

function relativePattern(given: string, { cwd, display }: SearchScope): string {
  const pattern = path.isAbsolute(given) && isWithin(cwd, given) ? `./${path.relative(cwd, given)}` : given;
  if (!path.isAbsolute(pattern) && !pattern.split("/").includes("..")) return pattern;
  throw new ToolError("invalid_pattern", `the pattern leads out of ${display}`, {
    hint: "name the folder with path, and let the pattern be relative to it",
  });
}

function literalFile(pattern: string, { cwd }: SearchScope, ctx: ToolContext): string | undefined {
  const absolute = path.join(cwd, pattern);
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return undefined;
  if (stats.isSymbolicLink() && followLink(absolute, ctx) !== "file") return undefined;
  const inPlace = isWithin(cwd, ctx.workspace.resolve(path.dirname(absolute)).real);
  return inPlace && ctx.mayRead(absolute)
    ? path.relative(cwd, absolute).replaceAll(path.sep, "/")
    : undefined;
}

const isWithin = (folder: string, target: string): boolean =>
  target === folder || target.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
