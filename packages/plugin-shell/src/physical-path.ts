import { realpathSync } from "node:fs";
import path from "node:path";

/** Where the system gets when it walks a path from `folder`: a `..` after a link leaves the link's target. */
export function physicalPath(text: string, folder: string): string {
  let at = text.startsWith("/") ? "/" : folder;
  for (const part of text.split("/")) {
    if (part === "" || part === ".") continue;
    at = part === ".." ? path.dirname(realOf(at)) : path.join(at, part);
  }
  return at;
}

/** With every link followed, where it exists. */
export function realOf(target: string): string {
  try {
    return realpathSync.native(target);
  } catch {
    return target;
  }
}
