import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { messageOf } from "@toycoder/core";
import type { Finding } from "@toycoder/testing";
import type { PluginTarget } from "./plugin-target.ts";

const SECRET = /(?:^|\/)(?:\.env(?:\..*)?|\.npmrc|id_[a-z0-9]+|.*\.(?:pem|key|p12))$/;
const TEST = /(?:^|\/)(?:__tests__|tests?|fixtures)\/|\.(?:test|spec)\.[cm]?[jt]sx?$/;

/** What is wrong with the files that are published. npm says which these are; it is asked without the network. */
export async function fileFindings(target: PluginTarget, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { manifest, entry, folder } = target;
  if (manifest === undefined) return [];
  const findings: Finding[] = [];
  const add = (code: string, message: string, fix: string, severity: Finding["severity"] = "error"): void =>
    void findings.push({ severity, code, place: "published files", message, fix });
  let files: string[];
  try {
    files = target.installed ? listed(folder) : await packed(folder, env);
  } catch (error) {
    add(
      "files_unknown",
      `npm cannot say which files are published: ${messageOf(error)}`,
      "see what npm pack --dry-run says",
      "warning",
    );
    return findings;
  }
  const holds = (file: string | undefined): boolean =>
    file === undefined || files.includes(path.relative(folder, file).split(path.sep).join("/"));
  if (entry !== undefined && !holds(entry.file))
    add(
      "entry_unpublished",
      `${entry.declared} is not among them`,
      'name its folder in "files": ["dist"], and build before npm publish',
    );
  else if (entry?.types !== undefined && !holds(entry.types))
    add(
      "types_unpublished",
      "the type declarations are not among them",
      'name their folder in "files"',
      "warning",
    );
  const secrets = files.filter((file) => SECRET.test(file));
  if (secrets.length > 0)
    add(
      "secret_published",
      `${secrets.join(", ")} would be public`,
      'list what is published in "files": ["dist"]',
    );
  const tests = files.filter((file) => TEST.test(file));
  if (tests.length > 0)
    add(
      "tests_published",
      `${few(tests)} among them`,
      'list what is published in "files": ["dist"], and compile without tests',
      "warning",
    );
  if (!files.some((file) => /^readme(?:\.|$)/i.test(file)))
    add(
      "readme_missing",
      "there is no README",
      "write one: what the tools do, their options, an example",
      "warning",
    );
  return findings;
}

const few = (names: readonly string[]): string =>
  names.length > 3
    ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more are`
    : `${names.join(", ")} ${names.length === 1 ? "is" : "are"}`;

/** What `npm publish` would send; scripts of the package don't run. */
async function packed(folder: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline", "--loglevel=error"];
  const { stdout } = await promisify(execFile)("npm", args, {
    cwd: folder,
    env: { ...env, npm_config_update_notifier: "false" },
    shell: process.platform === "win32",
    maxBuffer: 64 * 1024 * 1024,
  });
  const [first] = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>);
  return (first?.files ?? []).map((file) => file.path);
}

const listed = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !file.startsWith("node_modules/"));
