import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { SEARCH_PLACES } from "@toycoder/config";
import { PROVIDER_KEYS } from "../models.ts";
import { readManifest, readText } from "./project-file.ts";
import { packageManager, type TestCommand, testCommand } from "./test-command.ts";

/** What a folder's files and the environment say of a project. Nothing of it is run. */
export interface Project {
  packageManager: string | undefined;
  test: TestCommand | undefined;
  /** Folders that hold sources or tests, as globs: `src/**`. */
  sources: readonly string[];
  /** Names of variables with providers' keys that are set. */
  keys: readonly string[];
  /** Config files that are there, in the order in which they are looked for. */
  configs: readonly string[];
  agentsFile: boolean;
  mcpFile: boolean;
  node: boolean;
}

const FOLDERS: ReadonlySet<string> = new Set([
  "src", "lib", "app", "apps", "packages", "crates", "cmd", "internal", "pkg", "test", "tests", "spec", "__tests__",
]); // prettier-ignore

export function detectProject(folder: string, env: NodeJS.ProcessEnv): Project {
  const has = (name: string): boolean => existsSync(path.join(folder, name));
  return {
    packageManager: packageManager(folder),
    test: testCommand(folder),
    sources: sourceGlobs(folder),
    keys: PROVIDER_KEYS.filter((name) => env[name]),
    configs: SEARCH_PLACES.filter(has),
    agentsFile: has("AGENTS.md"),
    mcpFile: has(".mcp.json"),
    node: has("package.json"),
  };
}

function sourceGlobs(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const workspaces = workspaceFolders(folder);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .filter(
      (name) =>
        FOLDERS.has(name) || workspaces.has(name) || existsSync(path.join(folder, name, "__init__.py")),
    )
    .sort();
  const loose = existsSync(path.join(folder, "go.mod")) && entries.some(({ name }) => name.endsWith(".go"));
  const globs = [...folders.map((name) => `${escape(name)}/**`), ...(loose ? ["./*.go"] : [])];
  return globs.length > 0 ? globs : ["src/**"];
}

/** The first folders of a workspace's patterns: `packages/*` is in `packages`. */
function workspaceFolders(folder: string): ReadonlySet<string> {
  const own = readManifest(folder)?.["workspaces"];
  const listed: unknown =
    typeof own === "object" && own !== null && !Array.isArray(own) ? Reflect.get(own, "packages") : own;
  const manifest = Array.isArray(listed) ? listed.map(String) : [];
  const text = readText(folder, "pnpm-workspace.yaml") ?? "";
  const [, block = ""] = /^packages:(.*(?:\n(?:[ \t-].*)?)*)/m.exec(text) ?? [];
  const pnpm = [...block.matchAll(/["']?([^\s"'[\],]+\/[^\s"'[\],]*)["']?/g)].map(
    ([, pattern = ""]) => pattern,
  );
  const first = [...manifest, ...pnpm].map((pattern) => pattern.replace(/^\.\//, "").split("/")[0] ?? "");
  return new Set(first.filter((name) => /^[\w-]+$/.test(name)));
}

/** A folder's name as a pattern that matches it alone. */
const escape = (name: string): string => name.replaceAll(/[\\*?[\]{},()]/g, String.raw`\$&`);
