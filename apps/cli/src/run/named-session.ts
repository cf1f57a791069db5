import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { findSession, lastSession, stateFolder } from "@toycoder/agent";
import type { Io } from "../io.ts";

/**
 * The folder of the session that is named by its ID, cut short or not; for `last` and without a name, of the last
 * whose workspace is `cwd` or holds it. Throws a SetupError `session_not_found`.
 */
export function namedSession(given: string | undefined, cwd: string, io: Io): string {
  const state = stateFolder(io.env);
  if (given !== undefined && given !== "last") return findSession(state, given);
  const inside = path.join(existsSync(cwd) ? realpathSync.native(cwd) : cwd, path.sep);
  return lastSession(state, (workspace) => inside.startsWith(path.join(workspace, path.sep)), cwd);
}
