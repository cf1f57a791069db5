import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The version of this checkout's command: of the tag that the action is used by. */
function ownVersion() {
  const manifest = path.resolve(import.meta.dirname, "../../apps/cli/package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  return version === "0.0.0" ? "latest" : version;
}

/**
 * Installs toycoder from npm in a folder of its own, and gives the command's path. Not in the workspace, whose .npmrc
 * could name another registry; and without install scripts.
 */
export function install(version, folder, env) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const { status, error } = spawnSync("npm", ["install", ...flags, `toycoder@${version || ownVersion()}`], {
    cwd: folder,
    env,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm could not install toycoder: ${error?.message ?? `exit ${status}`}`);
  return path.join(folder, "node_modules/toycoder/dist/bin.js");
}
