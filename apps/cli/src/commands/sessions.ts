import path from "node:path";
import {
  DAY,
  EVENTS,
  findSession,
  readSessionFile,
  removeSession,
  sessionIds,
  sessionsFolder,
  stateFolder,
  summarizeSession,
  writtenAt,
} from "@toycoder/agent";
import { isSetupError, nearest } from "@toycoder/core";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { namedSession } from "../run/named-session.ts";
import { sessionRows } from "../render/session-rows.ts";
import { showSession } from "../render/show-session.ts";
import { UsageError } from "../usage-error.ts";

const ACTIONS = { list, show, rm } satisfies Record<string, Action>;
type Action = (flags: ParsedFlags, io: Io) => number;

export const sessions: Command = {
  usage: "[list | show ID | rm ID…]",
  words: Object.keys(ACTIONS),
  summary:
    "the sessions on disk, of all workspaces; an ID may be cut short, and last shows this workspace's last",
  details: `Exit codes: 0 done, 2 wrong use, 3 there is no such session, it can't be read, or a process writes it.
Example: toycoder sessions rm --older-than 7d`,
  flags: {
    "older-than": { value: "AGE", help: "rm: those last written longer ago, for instance 12h, 30d or 2w" },
    all: { help: "rm: all of them, but for those that a process writes" },
    json: { help: "print JSON" },
  },
  run: async (flags, io) => {
    const action = flags.words[0] ?? "list";
    if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action as keyof typeof ACTIONS](flags, io);
    const [near] = nearest(action, Object.keys(ACTIONS), 1);
    const hint = near === undefined ? "it has list, show and rm" : `did you mean ${near}?`;
    throw new UsageError(`sessions has no ${action}`, hint);
  },
};

function list(flags: ParsedFlags, io: Io): number {
  const state = stateFolder(io.env);
  const all = sessionIds(state).map((id) => summarizeSession(path.join(sessionsFolder(state), id)));
  if (flags.has("json")) return printJson(io, all);
  if (all.length === 0) io.stderr.write(`there is no session in ${sessionsFolder(state)}\n`);
  for (const row of sessionRows(all)) io.stdout.write(`${row}\n`);
  return 0;
}

function show(flags: ParsedFlags, io: Io): number {
  const id = flags.words[1];
  if (id === undefined) throw new UsageError("sessions show needs the ID of a session");
  const folder = namedSession(id, io.cwd, io);
  const { events } = readSessionFile(path.join(folder, EVENTS));
  const summary = summarizeSession(folder);
  if (flags.has("json")) return printJson(io, { ...summary, events });
  showSession(summary, events, io.stdout);
  return 0;
}

function rm(flags: ParsedFlags, io: Io): number {
  const state = stateFolder(io.env);
  const given = flags.words.slice(1);
  const age = flags.get("older-than");
  if (given.length === 0 && age === undefined && !flags.has("all"))
    throw new UsageError("sessions rm needs IDs, --older-than or --all");
  if (given.length > 0 && (age !== undefined || flags.has("all")))
    throw new UsageError("give sessions rm IDs, or --older-than, or --all");
  const folders =
    given.length > 0
      ? given.map((id) => findSession(state, id))
      : sessionIds(state).map((id) => path.join(sessionsFolder(state), id));
  const least = age === undefined ? -Infinity : milliseconds(age);
  const removed: string[] = [];
  const kept: { id: string; reason: string }[] = [];
  for (const folder of folders) {
    const id = path.basename(folder);
    if (Date.now() - writtenAt(folder) < least) continue;
    try {
      removeSession(folder);
      removed.push(id);
    } catch (error) {
      if (!isSetupError(error)) throw error;
      kept.push({ id, reason: error.message });
    }
  }
  if (flags.has("json")) printJson(io, { removed, kept });
  else {
    for (const id of removed) io.stdout.write(`removed ${id}\n`);
    for (const { reason } of kept) io.stderr.write(`toycoder: ${reason}\n`);
  }
  return given.length > 0 && kept.length > 0 ? 3 : 0;
}

const UNITS: Readonly<Record<string, number>> = { h: DAY / 24, d: DAY, w: 7 * DAY };

function milliseconds(age: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([hdw])$/.exec(age) ?? [];
  if (count !== undefined) return Number(count) * (UNITS[unit] ?? 0);
  throw new UsageError(
    `--older-than is a number with h, d or w, for instance 30d, not ${JSON.stringify(age)}`,
  );
}

function printJson(io: Io, value: unknown): number {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  return 0;
}
