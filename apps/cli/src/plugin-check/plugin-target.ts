import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../usage-error.ts";
import { type Manifest, type PackageEntry, packageEntry } from "./package-entry.ts";

/** What is to be checked: a package in a folder, or one module alone. */
export interface PluginTarget {
  /** Absolute: the package's folder, or the module's. */
  folder: string;
  /** Undefined for a module alone. */
  manifest: Manifest | undefined;
  /** Undefined where the package names none. */
  entry: PackageEntry | undefined;
  /** Whether it is under node_modules: then what is there is what was published. */
  installed: boolean;
}

/** Finds a folder, a module, or an installed package by its name or short name. Throws a UsageError. */
export function pluginTarget(given: string, cwd: string): PluginTarget {
  const file = path.resolve(cwd, given);
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) return packageTarget(file);
    const entry = { file, types: undefined, declared: path.basename(file) };
    return { folder: path.dirname(file), manifest: undefined, entry, installed: false };
  }
  const names = isWhole(given) ? [given] : [`@toycoder/plugin-${given}`, `toycoder-plugin-${given}`, given];
  for (const name of names) {
    const folder = installedFolder(name, cwd);
    if (folder !== undefined) return packageTarget(folder);
  }
  throw new UsageError(
    `there is no folder ${JSON.stringify(given)}, and no package ${names.join(" or ")} is installed`,
    "give the plugin's folder: toycoder plugin check ./my-plugin",
  );
}

const isWhole = (name: string): boolean => name.startsWith("@") || name.startsWith("toycoder-plugin-");

function packageTarget(folder: string): PluginTarget {
  const manifest = readPackage(folder);
  if (manifest === undefined)
    throw new UsageError(
      `there is no package.json in ${folder}`,
      "give the folder of a package, or a module",
    );
  const installed = folder.split(path.sep).includes("node_modules");
  return { folder, manifest, entry: packageEntry(manifest, folder), installed };
}

function readPackage(folder: string): Manifest | undefined {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, "")) as Manifest;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The folder of an installed package, as Node finds it from `cwd`; `exports` may hide its package.json. */
export function installedFolder(name: string, cwd: string): string | undefined {
  for (let at = cwd; ; at = path.dirname(at)) {
    const folder = path.join(at, "node_modules", name);
    if (existsSync(path.join(folder, "package.json"))) return folder;
    if (at === path.dirname(at)) return undefined;
  }
}

/** The URL by which the module is imported. */
export const entryUrl = ({ file }: PackageEntry): string => pathToFileURL(file).href;
