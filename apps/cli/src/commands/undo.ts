import { realpathSync } from "node:fs";
import path from "node:path";
import {
  changesByFile,
  EVENTS,
  planUndo,
  readSessionFile,
  SessionFolder,
  type SessionFile,
  type UndoChoice,
  undoChanges,
  type UndoPlan,
  type UndoResult,
  workspaceOf,
} from "@toycoder/agent";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { namedSession } from "../run/named-session.ts";
import { UsageError } from "../usage-error.ts";

export const undo: Command = {
  usage: "[SESSION]",
  summary: "puts back the files that a session changed; once more does the changes again",
  details: `SESSION is an ID, may be cut short, and is the last of this folder's workspace where it is left out.
What commands did to files is not known, and stays. A file that was changed since is refused, and nothing is touched.
Exit codes: 0 done, 2 wrong use, 3 the session is wrong, 9 files were refused or could not be written.
Example: toycoder undo --file src/total.js`,
  flags: {
    file: { value: "FILE", many: true, help: "only this file" },
    list: { help: "say what would be done, and do nothing" },
    force: { help: "also overwrite what was changed since; it is kept in the session" },
    cwd: { value: "FOLDER", help: "the folder whose workspace's last session is meant (default: this one)" },
    json: { help: "print JSON" },
  },
  async run(flags, io) {
    const cwd = path.resolve(io.cwd, flags.get("cwd") ?? ".");
    const folder = sessionOf(flags, cwd, io);
    const id = path.basename(folder);
    if (flags.has("list")) {
      const file = readSessionFile(path.join(folder, EVENTS));
      return printPlan(planUndo(folder, file.events, choiceOf(file, folder, flags, cwd)), id, flags, io);
    }
    const { session, file } = SessionFolder.open(folder);
    try {
      return printResult(undoChanges(session, file, choiceOf(file, folder, flags, cwd)), id, flags, io);
    } finally {
      session.close();
    }
  },
};

function sessionOf({ words }: ParsedFlags, cwd: string, io: Io): string {
  const [given, ...more] = words;
  if (more.length > 0) throw new UsageError("undo takes one session", "name a file with --file FILE");
  return namedSession(given, cwd, io);
}

function choiceOf({ events }: SessionFile, folder: string, flags: ParsedFlags, cwd: string): UndoChoice {
  const force = flags.has("force");
  const given = flags.all("file");
  if (given.length === 0) return { force };
  const known = changesByFile(events);
  const meant = new Set(given.map((name) => knownFile(name, known, [cwd, workspaceOf(folder) ?? cwd])));
  return { force, fits: ({ file }) => meant.has(file) };
}

/** The changed file that a person names, relative to one of the folders. */
function knownFile(
  name: string,
  known: ReturnType<typeof changesByFile>,
  folders: readonly string[],
): string {
  for (const folder of folders) {
    const file = realFile(path.resolve(folder, name));
    if (known.some(([one]) => one === file)) return file;
  }
  const names = known.map(([, changes]) => changes[0]?.path).join(", ");
  throw new UsageError(
    `--file: the session did not change ${name}`,
    names === "" ? "it changed no file" : `it changed ${names}`,
  );
}

/** With the links in its folder's path followed, where that is there. */
function realFile(file: string): string {
  try {
    return path.join(realpathSync.native(path.dirname(file)), path.basename(file));
  } catch {
    return path.dirname(file) === file ? file : path.join(realFile(path.dirname(file)), path.basename(file));
  }
}

function printPlan(
  { by, steps, unchanged, refused }: UndoPlan,
  id: string,
  flags: ParsedFlags,
  io: Io,
): number {
  const files = [
    ...steps.map(({ path: name, target }) => ({
      path: name,
      action: target.bytes === null ? "remove" : "restore",
    })),
    ...unchanged.map((name) => ({ path: name, action: "unchanged" })),
  ];
  if (flags.has("json")) printJson(io, { sessionId: id, by, files, refused });
  else {
    io.stdout.write(
      `${by} of session ${id}${files.length + refused.length === 0 ? ": it changed no file" : ""}\n`,
    );
    for (const { path: name, action } of files) io.stdout.write(`  ${action} ${name}\n`);
    for (const { path: name, reason } of refused) io.stdout.write(`  refuse ${name}: ${reason}\n`);
  }
  return 0;
}

function printResult({ by, files, refused }: UndoResult, id: string, flags: ParsedFlags, io: Io): number {
  const exitCode = refused.length === 0 ? 0 : 9;
  if (flags.has("json")) printJson(io, { sessionId: id, by, files, refused, exitCode });
  else {
    for (const { path: name, action } of files) io.stdout.write(`${action} ${name}\n`);
    if (exitCode === 0) io.stderr.write(`${summary(by, files.length, id)}\n`);
    else io.stderr.write(refusal(files.length, refused));
  }
  return exitCode;
}

function summary(by: UndoPlan["by"], count: number, id: string): string {
  if (count === 0) return `session ${id} changed no file`;
  const again = by === "undo" ? "does the changes again" : "puts them back";
  return `${by} of session ${id} is done; toycoder undo ${id} ${again}`;
}

function refusal(done: number, refused: UndoResult["refused"]): string {
  const head = done === 0 ? "nothing was touched" : "not all files were put back";
  return `toycoder: ${head}\n${refused.map(({ path: name, reason }) => `  ${name}: ${reason}\n`).join("")}  --file FILE takes other files alone; --force overwrites what was changed since, and keeps it in the session\n`;
}

const printJson = (io: Io, value: unknown): void =>
  void io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
