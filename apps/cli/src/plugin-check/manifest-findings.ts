import { existsSync } from "node:fs";
import type { Finding } from "@toycoder/testing";
import satisfies from "semver/functions/satisfies.js";
import valid from "semver/functions/valid.js";
import validRange from "semver/ranges/valid.js";
import type { PluginTarget } from "./plugin-target.ts";

export const PACKAGE_NAME: RegExp =
  /^(?:@[a-z0-9][a-z0-9._-]*\/toycoder-plugin-|toycoder-plugin-|@toycoder\/plugin-)[a-z0-9][a-z0-9._-]*$/;
const CORE = "@toycoder/core";

type Add = (code: string, at: string, message: string, fix: string, severity?: Finding["severity"]) => void;

/** What is wrong with a plugin's package.json. `version` is this ToyCoder's. */
export function manifestFindings(target: PluginTarget, version: string): Finding[] {
  const { manifest } = target;
  if (manifest === undefined) return [];
  const findings: Finding[] = [];
  const add: Add = (code, at, message, fix, severity = "error") =>
    void findings.push({ severity, code, place: `package.json, ${at}`, message, fix });
  const { name, version: own, keywords, license, description, type } = manifest;
  if (typeof name !== "string" || !PACKAGE_NAME.test(name)) {
    add(
      "package_name",
      "name",
      `${JSON.stringify(name)} is no plugin's name`,
      "call it toycoder-plugin-NAME or @scope/toycoder-plugin-NAME: a config then names it by NAME or by its whole name",
    );
  }
  if (typeof own !== "string" || valid(own) !== own)
    add("version_invalid", "version", `${JSON.stringify(own)} is no semver version`, 'write it as "1.0.0"');
  if (!Array.isArray(keywords) || !keywords.includes("toycoder-plugin"))
    add(
      "keyword_missing",
      "keywords",
      '"toycoder-plugin" is not among them',
      "add it: discover, and people who search npm, go by it",
    );
  if (typeof license !== "string")
    add("license_missing", "license", "there is none", 'name one: "MIT"', "warning");
  if (typeof description !== "string" || description === "")
    add(
      "package_description_missing",
      "description",
      "there is none",
      "say in a line what the plugin brings",
      "warning",
    );
  peerFindings(target, version, add);
  if (type !== "module" && !target.entry?.declared.endsWith(".mjs"))
    add(
      "not_esm",
      "type",
      `it is ${JSON.stringify(type ?? "commonjs")}`,
      'set "type": "module": ToyCoder and its plugins are ES modules',
    );
  entryFindings(target, add);
  const engines = (manifest["engines"] as Record<string, unknown> | undefined)?.["node"];
  if (engines === undefined)
    add(
      "engines_missing",
      "engines",
      "it does not say which Node it needs",
      'add "engines": { "node": ">=22.18" }',
      "warning",
    );
  return findings;
}

function peerFindings({ manifest }: PluginTarget, version: string, add: Add): void {
  const rangeIn = (field: string): string | undefined =>
    (manifest?.[field] as Record<string, string> | undefined)?.[CORE];
  if (rangeIn("dependencies") !== undefined) {
    add(
      "core_is_dependency",
      `dependencies.${CORE}`,
      "each user gets a second copy of it",
      `move it to peerDependencies (and devDependencies)`,
    );
  }
  const range = rangeIn("peerDependencies");
  if (range === undefined) {
    add(
      "peer_missing",
      "peerDependencies",
      `${CORE} is not among them`,
      `add it with the versions that the plugin works with: "^${version}"`,
    );
  } else if (!/^(?:workspace|catalog):/.test(range)) {
    const at = `peerDependencies.${CORE}`;
    if (validRange(range) === null)
      add("peer_invalid", at, `${JSON.stringify(range)} is no semver range`, `write it as "^${version}"`);
    else if (!satisfies(version, range, { includePrerelease: true }))
      add(
        "peer_excludes",
        at,
        `${range} leaves out ${version}, which checks it`,
        `widen it: "${range} || ^${version}"; or check with a ToyCoder that it is for`,
      );
    else if (/^(?:\*|x|>=\s*[\d.]+|latest)?$/.test(range.trim()))
      add(
        "peer_unbounded",
        at,
        `${JSON.stringify(range)} also takes versions that do not exist yet`,
        `write "^${version}"`,
        "warning",
      );
  }
}

function entryFindings({ manifest, entry }: PluginTarget, add: Add): void {
  if (entry === undefined) {
    add(
      "exports_missing",
      "exports",
      "nothing says which module the package is",
      'add "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" } }',
    );
    return;
  }
  if (manifest?.["exports"] === undefined)
    add(
      "exports_missing",
      "exports",
      `there is only "main": every file of the package can be imported`,
      `add "exports": "${entry.declared}"`,
      "warning",
    );
  if (!existsSync(entry.file))
    add(
      "entry_missing",
      "exports",
      `there is no file ${entry.declared}`,
      "build the package first (npm run build), or name the file that the build makes",
    );
  else if (/(?<!\.d)\.[cm]?tsx?$/.test(entry.declared))
    add(
      "entry_typescript",
      "exports",
      `${entry.declared} is TypeScript: Node strips no types under node_modules`,
      "publish what tsc makes of it",
    );
  if (entry.types === undefined || !existsSync(entry.types))
    add(
      "types_missing",
      "exports",
      "there are no type declarations",
      'compile with "declaration": true and name them under "types"',
      "warning",
    );
}
