import { SetupError } from "@toycoder/core";
import minVersion from "semver/ranges/min-version.js";
import validRange from "semver/ranges/valid.js";
import gt from "semver/functions/gt.js";
import satisfies from "semver/functions/satisfies.js";
import { findManifest } from "./discover-plugins.ts";
import { isObject } from "./shape.ts";

const CORE = "@toycoder/core";

/**
 * Holds the peer range of an installed plugin package to the version of core that runs. A package that is not there,
 * or says nothing of core, passes. Throws a SetupError `plugin_failed` that says which of the two to change.
 */
export function checkPeer(name: string, folder: string, version: string | undefined): void {
  const manifest = version === undefined ? undefined : findManifest(name, folder);
  const peers = manifest?.["peerDependencies"];
  const range = isObject(peers) ? peers[CORE] : undefined;
  // `workspace:` and `catalog:` are a package manager's own; a package that is installed from npm has none of them.
  if (version === undefined || typeof range !== "string" || validRange(range) === null) return;
  if (satisfies(version, range, { includePrerelease: true })) return;
  const own = String(manifest?.["version"]);
  const least = minVersion(range);
  const isNewer = least !== null && gt(least, version);
  throw new SetupError(
    "plugin_failed",
    `${name} ${own} is made for ${CORE} ${range}; this toycoder has ${version}`,
    {
      hint: isNewer
        ? `update toycoder (npm install -D toycoder@latest), or take an older ${name}`
        : `update the plugin (npm install -D ${name}@latest), or take a toycoder that it is for`,
    },
  );
}
