import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { ToolError } from "../errors.ts";

/** A path as a tool may use it. All but `display` are absolute. */
export interface ResolvedPath {
  /** With `~` and `..` taken out, symbolic links left in. */
  absolute: string;
  /** Where it really is: every symbolic link followed, also when the last parts don't exist yet. */
  real: string;
  /** For people and models: relative to the workspace with `/`, or absolute where it is outside. */
  display: string;
  /** Whether `real` lies in the workspace or one of its further roots. */
  inside: boolean;
}

/** The folder the agent may touch, and further roots that the config adds. */
export interface Workspace {
  readonly root: string;
  readonly roots: readonly string[];
  resolve(path: string): ResolvedPath;
}

/**
 * `root` and `roots` must exist; they are taken by their real paths. A root may start with `~` or be relative to
 * `root`. Throws ENOENT where one is missing.
 */
export function createWorkspace(options: { root: string; roots?: readonly string[] }): Workspace {
  const root = realpathSync.native(path.resolve(options.root));
  const roots = [root];
  for (const extra of options.roots ?? [])
    roots.push(realpathSync.native(path.resolve(root, expandHome(extra))));
  return {
    root,
    roots,
    resolve(input: string): ResolvedPath {
      if (input.includes("\0")) throw new ToolError("invalid_path", "a path cannot hold a NUL character");
      const absolute = path.resolve(root, expandHome(input));
      const real = realPath(absolute);
      const inside = roots.some((one) => contains(one, real));
      return { absolute, real, display: displayPath(root, real, absolute), inside };
    },
  };
}

function displayPath(root: string, real: string, absolute: string): string {
  if (contains(root, absolute) && contains(root, real)) return relative(root, absolute);
  return contains(root, real) ? relative(root, real) : real;
}

const relative = (root: string, target: string): string =>
  (path.relative(root, target) || ".").replaceAll(path.sep, "/");

/** Whether `target` is `folder` or lies beneath it; both absolute and normalised. */
export function contains(folder: string, target: string): boolean {
  if (target === folder) return true;
  return target.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

export function expandHome(input: string): string {
  if (input === "~") return homedir();
  return input.startsWith("~/") || input.startsWith(`~${path.sep}`)
    ? path.join(homedir(), input.slice(2))
    : input;
}

/**
 * The real path of `absolute`, which need not exist: the deepest existing ancestor is resolved and the rest
 * appended. A dangling link is followed to where a write through it would land.
 */
function realPath(absolute: string, hops = 0): string {
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || hops > 40)
      throw new ToolError("invalid_path", `too many symbolic links: ${absolute}`);
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    const link = linkTarget(absolute);
    if (link !== undefined) return realPath(path.resolve(realPath(parent, hops + 1), link), hops + 1);
    return path.join(realPath(parent, hops), path.basename(absolute));
  }
}

function linkTarget(absolute: string): string | undefined {
  try {
    return lstatSync(absolute).isSymbolicLink() ? readlinkSync(absolute) : undefined;
  } catch {
    return undefined;
  }
}
