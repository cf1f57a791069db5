import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { SetupError } from "@toycoder/core";
import { digestOf, type LoggedChange } from "./change-log.ts";
import type { AgentEvent } from "./event.ts";
import { fileNow, type FileNow } from "./file-now.ts";

/** One file that is to be put into an earlier state. */
export interface UndoStep {
  /** As the model named it. */
  path: string;
  /** Its real path. */
  file: string;
  now: FileNow;
  /** What it is to become. */
  target: FileNow;
}

/** A file that stays as it is, and why. */
export interface RefusedFile {
  path: string;
  reason: string;
}

/** What an undo comes to, before anything is touched. */
export interface UndoPlan {
  /** `redo` where everything was put back already: the changes are done again. */
  by: "undo" | "redo";
  steps: UndoStep[];
  /** Folders that the session's tools made, innermost first. */
  folders: string[];
  /** Files that are in their earlier state already. */
  unchanged: string[];
  refused: RefusedFile[];
}

/** Which changes are put back. */
export interface UndoChoice {
  /** Takes the files that are meant; default: all. */
  fits?: (change: LoggedChange) => boolean;
  /** Also takes files that are no longer as the session left them. */
  force?: boolean;
}

/**
 * Plans to put back what a session's tools changed: every file that is not put back yet into its state before the
 * session's first change; where all are, every one into its state before the undo. The file that changed last comes
 * first. Throws a SetupError `session_damaged` where a before-image is missing.
 */
export function planUndo(folder: string, events: Iterable<AgentEvent>, choice: UndoChoice = {}): UndoPlan {
  const { fits = () => true, force = false } = choice;
  const all = changesByFile(events);
  const changes = all.filter(([, list]) => list.some(fits));
  const standing = changes.filter(([, list]) => list.at(-1)?.by !== "undo");
  const by = standing.length > 0 ? "undo" : "redo";
  const folders = all.flatMap(([, list]) => list.flatMap((change) => change.folders ?? []));
  folders.sort((a, b) => b.length - a.length);
  const plan: UndoPlan = { by, steps: [], folders, unchanged: [], refused: [] };
  for (const [file, list] of by === "undo" ? standing : changes) {
    const last = list.at(-1);
    const from = by === "undo" ? list[0] : last;
    if (from === undefined || last === undefined) continue;
    const target = stateBefore(folder, from);
    const now = fileNow(file);
    if (typeof now === "string") plan.refused.push({ path: last.path, reason: now });
    else if (isSame(now, target)) plan.unchanged.push(last.path);
    else {
      const reason = force ? undefined : changedSince(now, last);
      if (reason !== undefined) plan.refused.push({ path: last.path, reason });
      else plan.steps.push({ path: last.path, file, now, target });
    }
  }
  return plan;
}

/** Every file's changes in their order; the file that changed last comes first. */
export function changesByFile(events: Iterable<AgentEvent>): [file: string, changes: LoggedChange[]][] {
  const files = new Map<string, LoggedChange[]>();
  for (const event of events) {
    if (event.type !== "change") continue;
    const list = files.get(event.file) ?? [];
    files.delete(event.file);
    files.set(event.file, [...list, event]);
  }
  return [...files].toReversed();
}

function stateBefore(folder: string, { path: name, before, mode }: LoggedChange): FileNow {
  if (before === null) return { bytes: null, mode: undefined };
  const image = path.join(folder, before);
  if (existsSync(image)) return { bytes: readFileSync(image), mode: mode?.before };
  throw new SetupError("session_damaged", `what ${name} held is no longer kept: ${image} is missing`, {
    hint: "undo the other files one by one: --file FILE",
  });
}

/** Whether a file is what it is to be; a mode that `target` doesn't say is any. */
export function isSame(now: FileNow, target: FileNow): boolean {
  if (now.bytes === null || target.bytes === null) return now.bytes === target.bytes;
  return now.bytes.equals(target.bytes) && (target.mode === undefined || now.mode === target.mode);
}

/** In words, how the file differs from what the session left; undefined where it does not. */
function changedSince({ bytes, mode }: FileNow, { after, mode: left }: LoggedChange): string | undefined {
  if (bytes === null) return after === null ? undefined : "it was removed since";
  if (after === null) return "it was made anew since";
  if (digestOf(bytes) !== after) return "its content was changed since";
  if (left?.after === undefined || mode === left.after) return undefined;
  return `its mode was changed since, from ${octal(left.after)} to ${octal(mode ?? 0)}`;
}

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");
