import { readFileSync } from "node:fs";
import path from "node:path";
import { messageOf, SetupError } from "@toycoder/core";
import { isObject } from "./shape.ts";

const KEYWORD = "toycoder-plugin";
const FIELDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * The direct dependencies of a folder's package.json that have the keyword `toycoder-plugin`, sorted by name. One
 * that is not installed is nobody's plugin, unless its name says that it is one: then it is an error.
 * Throws a SetupError `plugin_failed` that names the package.json or the package.
 */
export function discoverPlugins(folder: string): string[] {
  const manifest = path.join(folder, "package.json");
  const own = readManifest(manifest);
  if (own === undefined) {
    throw new SetupError("plugin_failed", `discover: there is no ${manifest}`, {
      hint: "discover looks through the dependencies beside the config; name the plugins in plugins instead",
    });
  }
  const fields = FIELDS.map((field) => own[field]).filter(isObject);
  const names = [...new Set(fields.flatMap((field) => Object.keys(field)))].sort();
  return names.filter((name) => {
    const found = findManifest(name, folder);
    if (found !== undefined) return Array.isArray(found["keywords"]) && found["keywords"].includes(KEYWORD);
    const optional = isObject(own["optionalDependencies"]) && name in own["optionalDependencies"];
    if (optional || !/^(?:@[^/]+\/)?toycoder-plugin-|^@toycoder\/plugin-/.test(name)) return false;
    throw new SetupError("plugin_failed", `discover: the package ${name} of ${manifest} is not installed`, {
      hint: "install the project's dependencies first, for instance with npm install",
    });
  });
}

/** A package's package.json, as Node finds the package from the folder; `exports` may hide the file itself. */
export function findManifest(name: string, folder: string): Readonly<Record<string, unknown>> | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = readManifest(path.join(at, "node_modules", name, "package.json"));
    if (found !== undefined || at === path.dirname(at)) return found;
  }
}

function readManifest(file: string): Readonly<Record<string, unknown>> | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    if (isObject(value)) return value;
    throw new Error("it holds no object");
  } catch (error) {
    throw new SetupError("plugin_failed", `discover: ${file} cannot be read: ${messageOf(error)}`);
  }
}
