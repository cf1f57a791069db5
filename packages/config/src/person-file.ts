import { homedir } from "node:os";
import path from "node:path";

/**
 * Where a person's defaults are: `$XDG_CONFIG_HOME/toycoder/config.json`, else `~/.config/toycoder/config.json`.
 * A relative $XDG_CONFIG_HOME counts as none (XDG Base Directory Specification).
 */
export function personFile(env: Readonly<Record<string, string | undefined>>): string {
  const given = env["XDG_CONFIG_HOME"];
  const base =
    given !== undefined && path.isAbsolute(given) ? given : path.join(env["HOME"] || homedir(), ".config");
  return path.join(base, "toycoder", "config.json");
}
