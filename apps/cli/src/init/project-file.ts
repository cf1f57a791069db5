import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The text of a file of the project, or undefined where there is none that can be read. */
export function readText(folder: string, name: string): string | undefined {
  try {
    return readFileSync(path.join(folder, name), "utf8");
  } catch {
    return undefined;
  }
}

/** The package.json of a folder; undefined where there is none, or none that can be read. */
export function readManifest(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readText(folder, "package.json") ?? "null");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The folder and those above it, up to the one that holds the repository. */
export function foldersUpward(folder: string): string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    folders.push(at);
    if (existsSync(path.join(at, ".git")) || at === path.dirname(at)) return folders;
  }
}
