import path from "node:path";
import {
  type EventBody,
  findSession,
  forkSession,
  lastSession,
  newSessionId,
  resumeSession,
  SessionFolder,
  stateFolder,
  workspaceOf,
} from "@toycoder/agent";
import { type ContentPart, type Message, SetupError, text } from "@toycoder/core";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Where a run's session lies, and with what it begins. */
export interface RunSession {
  folder: SessionFolder;
  /** To be kept and shown after `session_start`. */
  opening: readonly EventBody[];
  history?: readonly Message[];
  lastTurn?: number;
  task?: readonly ContentPart[];
}

/** Opens a new session. Throws a SetupError where it can't be made. */
export function newRun(task: string | undefined, io: Io): RunSession {
  const folder = SessionFolder.create(stateFolder(io.env), newSessionId());
  return { folder, opening: [], task: partsOf(task) };
}

/**
 * Opens the session that `--resume` names, or its copy with `--fork`; undefined without the flag. Throws a
 * UsageError where a task is lacking, a SetupError where the session can't be found, read or written.
 */
export function resumeRun(
  task: string | undefined,
  workspace: string,
  flags: ParsedFlags,
  io: Io,
): RunSession | undefined {
  const state = stateFolder(io.env);
  const given = flags.get("resume");
  if (given === undefined) {
    if (flags.has("fork")) throw new UsageError("--fork needs the session to copy: --resume ID --fork");
    return undefined;
  }
  const found = knownSession(given, workspace, state);
  const { session, history, lastTurn, open, note, opening } = resumeSession(
    flags.has("fork") ? forkSession(found, newSessionId()) : found,
  );
  if (task === undefined && !open) {
    session.close();
    throw new UsageError(
      `the session ${path.basename(found)} is at its end: it needs a new task to go on`,
      `toycoder run --resume ${given} "what is to be done next"`,
    );
  }
  const parts = [...partsOf(note), ...partsOf(task)];
  const forked: EventBody[] = flags.has("fork")
    ? [{ type: "notice", code: "forked", message: `a copy of the session ${path.basename(found)}` }]
    : [];
  return {
    folder: session,
    opening: [...forked, ...opening],
    history,
    lastTurn,
    ...(parts.length > 0 && { task: parts }),
  };
}

/** The folder of a session of the workspace, by its ID or as `last`. Throws a SetupError where there is none. */
export function knownSession(given: string, workspace: string, state: string): string {
  const found = given === "last" ? lastOf(state, workspace) : findSession(state, given);
  checkWorkspace(found, workspace);
  return found;
}

const partsOf = (words: string | undefined): ContentPart[] => (words === undefined ? [] : [text(words)]);

const lastOf = (state: string, workspace: string): string =>
  lastSession(state, (one) => one === workspace, workspace);

function checkWorkspace(folder: string, workspace: string): void {
  const own = workspaceOf(folder);
  if (own === undefined || own === workspace) return;
  throw new SetupError(
    "session_workspace",
    `the session ${path.basename(folder)} belongs to the workspace ${own}, not to ${workspace}`,
    { hint: `go on there: --cwd ${own}` },
  );
}
