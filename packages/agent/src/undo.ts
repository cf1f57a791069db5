import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { messageOf } from "@toycoder/core";
import { ChangeLog, describeChange } from "./change-log.ts";
import { stamp } from "./event.ts";
import { fileNow } from "./file-now.ts";
import type { SessionFolder } from "./session-folder.ts";
import {
  isSame,
  planUndo,
  type RefusedFile,
  type UndoChoice,
  type UndoPlan,
  type UndoStep,
} from "./undo-plan.ts";
import type { SessionFile } from "./session-file.ts";

/** What became of an undo. */
export interface UndoResult {
  by: UndoPlan["by"];
  /** The files that are in their earlier state now, and what was done for it. */
  files: { path: string; action: "restored" | "removed" | "unchanged" }[];
  /** Why nothing was touched, or, after a failure, what is still as it was. */
  refused: RefusedFile[];
}

/**
 * Puts files back as `planUndo` says, bytes and modes; or, where one of them is refused, touches nothing. What is
 * overwritten is kept, and the session gets a `change` event for every file, so that the undo can itself be undone.
 * Everything is written beside its place first: a full disk is met before a file is touched, and each file is the
 * old one or the new one as a whole.
 */
export function undoChanges(
  session: SessionFolder,
  { events }: SessionFile,
  choice: UndoChoice = {},
): UndoResult {
  const { by, steps, folders, unchanged, refused } = planUndo(session.folder, events, choice);
  const result: UndoResult = {
    by,
    files: unchanged.map((name) => ({ path: name, action: "unchanged" })),
    refused,
  };
  if (refused.length > 0) return { ...result, files: [] };

  const log = new ChangeLog(session.folder);
  const staged: Staged[] = [];
  let current: UndoStep | undefined;
  try {
    for (current of steps) staged.push(stage(current, log));
    for (const one of staged) {
      current = one.step;
      result.files.push(putInPlace(one, session, by));
    }
    const removed = steps.filter(({ target }) => target.bytes === null);
    removeFolders(
      folders,
      removed.map(({ file }) => file),
    );
  } catch (error) {
    const done = new Set(result.files.map(({ path: name }) => name));
    for (const step of steps.filter(({ path: name }) => !done.has(name))) {
      const reason = step === current ? messageOf(error) : `not reached, since ${current?.path} failed`;
      result.refused.push({ path: step.path, reason });
    }
  } finally {
    for (const { temporary } of staged) if (temporary !== undefined) rmSync(temporary, { force: true });
  }
  return result;
}

interface Staged {
  step: UndoStep;
  /** The before-image of what is there now. */
  kept: string | null;
  /** The new file, beside its place; none where the file is to go. */
  temporary: string | undefined;
}

function stage(step: UndoStep, log: ChangeLog): Staged {
  const { file, now, target } = step;
  const kept = now.bytes === null ? null : log.keep(now.bytes);
  if (target.bytes === null) return { step, kept, temporary: undefined };
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = path.join(path.dirname(file), `.toycoder-undo-${randomBytes(6).toString("hex")}.tmp`);
  const mode = target.mode ?? now.mode;
  const descriptor = openSync(temporary, "wx", mode === undefined ? 0o666 : 0o600);
  try {
    writeFileSync(descriptor, target.bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return { step, kept, temporary };
}

function putInPlace(
  { step, kept, temporary }: Staged,
  session: SessionFolder,
  by: UndoPlan["by"],
): UndoResult["files"][number] {
  const { path: display, file, now, target } = step;
  const before = fileNow(file);
  if (typeof before === "string") throw new Error(before);
  if (!isSame(before, now)) throw new Error("it was changed in this moment");
  if (temporary === undefined) unlinkSync(file);
  else renameSync(temporary, file);
  const after = fileNow(file);
  const mode = {
    ...(now.mode !== undefined && { before: now.mode }),
    ...(typeof after === "object" && after.mode !== undefined && { after: after.mode }),
  };
  const change = describeChange(
    {
      path: { absolute: file, real: file, display, inside: true },
      before: now.bytes,
      after: target.bytes,
      mode,
    },
    kept,
  );
  session.append(stamp({ type: "change", ...change, by }));
  return { path: display, action: temporary === undefined ? "removed" : "restored" };
}

/** Removes the folders that were made for files which are gone again, where nothing else is in them. */
function removeFolders(folders: readonly string[], removed: readonly string[]): void {
  for (const folder of folders)
    if (removed.some((file) => file.startsWith(folder + path.sep))) removeEmpty(folder);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something else by now.
  }
}
