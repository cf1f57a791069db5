import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { nearest, SetupError } from "@toycoder/core";
import { EVENTS, sessionsFolder } from "./session-folder.ts";

/** The names of all sessions, the one that was written last first. */
export function sessionIds(state: string): string[] {
  const folder = sessionsFolder(state);
  return namesIn(folder)
    .map((id) => ({ id, at: writtenAt(path.join(folder, id)) }))
    .filter(({ at }) => at > 0)
    .toSorted((a, b) => b.at - a.at)
    .map(({ id }) => id);
}

/** When a session was last written, in milliseconds; 0 where the folder holds none. */
export const writtenAt = (folder: string): number =>
  statSync(path.join(folder, EVENTS), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The folder of the session with this name, or with a name that only one begins with. Throws a SetupError `session_not_found`. */
export function findSession(state: string, given: string): string {
  const ids = sessionIds(state);
  const found = ids.includes(given) ? [given] : ids.filter((id) => given !== "" && id.startsWith(given));
  const [id] = found;
  if (id !== undefined && found.length === 1) return path.join(sessionsFolder(state), id);
  if (found.length > 1) {
    const names = `${found.slice(0, 5).join(", ")}${found.length > 5 ? ", …" : ""}`;
    throw notFound(`${found.length} sessions begin with ${given}: ${names}`, "give more of the name");
  }
  const [near] = nearest(given, ids, 1);
  const hint = near === undefined ? "toycoder sessions list shows them all" : `did you mean ${near}?`;
  throw notFound(`there is no session ${JSON.stringify(given)}`, hint);
}

/**
 * The folder of the session that was written last of those whose workspace `fits`. Throws a SetupError
 * `session_not_found` that names the `place`.
 */
export function lastSession(state: string, fits: (workspace: string) => boolean, place: string): string {
  for (const id of sessionIds(state)) {
    const folder = path.join(sessionsFolder(state), id);
    const workspace = workspaceOf(folder);
    if (workspace !== undefined && fits(workspace)) return folder;
  }
  throw notFound(`there is no session of the workspace ${place}`, "toycoder sessions list shows them all");
}

/** What the session's first line says; undefined where it can't be read. */
export function workspaceOf(folder: string): string | undefined {
  try {
    const first = JSON.parse(firstLine(path.join(folder, EVENTS))) as { workspace?: unknown };
    return typeof first.workspace === "string" ? first.workspace : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    let text = Buffer.alloc(0);
    for (;;) {
      const piece = Buffer.alloc(16_384);
      const read = readSync(descriptor, piece);
      text = Buffer.concat([text, piece.subarray(0, read)]);
      const end = text.indexOf(0x0a);
      if (end !== -1 || read === 0) return text.toString("utf8", 0, end === -1 ? text.length : end);
    }
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

const notFound = (message: string, hint: string): SetupError =>
  new SetupError("session_not_found", message, { hint });
