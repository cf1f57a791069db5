import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** Whether toycoder runs on a version of Node. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/**
 * A Node that toycoder runs on: this one, else the newest that the runner has in its tool cache. The PATH stays as it
 * is: the commands that the agent runs are for the project's own Node.
 */
export function findNode(env, own = process.versions.node) {
  if (isNewEnough(own)) return process.execPath;
  const cache = path.join(env.RUNNER_TOOL_CACHE ?? "", "node");
  const versions = env.RUNNER_TOOL_CACHE && existsSync(cache) ? readdirSync(cache) : [];
  const found = versions
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version) && isNewEnough(version))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((version) => path.join(cache, version, process.arch, "bin", "node"))
    .find((node) => existsSync(node));
  if (found !== undefined) return found;
  throw new Error(`toycoder needs Node 22.18 or later, and this is ${own}: put actions/setup-node before it`);
}
