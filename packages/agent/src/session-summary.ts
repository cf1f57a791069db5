import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { isSetupError, messageOf } from "@toycoder/core";
import type { AgentEvent } from "./event.ts";
import type { RunStatus } from "./result.ts";
import { readSessionFile } from "./session-file.ts";
import { EVENTS } from "./session-folder.ts";
import { lockHolder } from "./session-lock.ts";

/** A session in one row. */
export interface SessionSummary {
  id: string;
  /** `running`: a process writes it. `interrupted`: its last run has no result. `unreadable`: `problem` says why. */
  status: RunStatus | "running" | "interrupted" | "unreadable";
  problem?: string;
  /** ISO 8601, of the first and the last event. */
  started: string;
  ended: string;
  workspace: string;
  model: string;
  /** The first task. */
  task: string;
  /** Model answers, all runs and subagents together. */
  turns: number;
  /** Files that tools changed, by path as the model named them. */
  changedFiles: readonly string[];
  inputTokens: number;
  outputTokens: number;
  /** Null where it is not known of every answer. */
  costUsd: number | null;
  /** Of the whole folder. */
  bytes: number;
  /** The process that writes it. */
  pid?: number;
}

/** Reads a session's folder. What can't be read is said in the summary. */
export function summarizeSession(folder: string): SessionSummary {
  const holder = lockHolder(folder);
  const base = {
    ...EMPTY,
    id: path.basename(folder),
    bytes: sizeOf(folder),
    ...(holder && { pid: holder.pid }),
  };
  try {
    const summary = readSessionFile(path.join(folder, EVENTS)).events.reduce(addEvent, base);
    return holder === undefined ? summary : { ...summary, status: "running" };
  } catch (error) {
    const problem = isSetupError(error) ? `${error.message}; ${error.hint ?? ""}` : messageOf(error);
    return { ...base, status: "unreadable", problem };
  }
}

const EMPTY: Omit<SessionSummary, "id" | "bytes"> = {
  status: "interrupted",
  started: "",
  ended: "",
  workspace: "",
  model: "",
  task: "",
  turns: 0,
  changedFiles: [],
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

function addEvent(summary: SessionSummary, event: AgentEvent): SessionSummary {
  const seen = { ...summary, started: summary.started || event.at, ended: event.at };
  switch (event.type) {
    case "session_start": {
      const { workspace, model, task } = event;
      return { ...seen, status: "interrupted", workspace, model, task: summary.task || task };
    }
    case "usage": {
      const { costUsd, purpose } = event;
      return {
        ...seen,
        turns: seen.turns + (purpose === undefined ? 1 : 0),
        inputTokens: seen.inputTokens + event.inputTokens,
        outputTokens: seen.outputTokens + event.outputTokens,
        costUsd: seen.costUsd === null || costUsd === null ? null : seen.costUsd + costUsd,
      };
    }
    case "change":
      if (event.by !== undefined || seen.changedFiles.includes(event.path)) return seen;
      return { ...seen, changedFiles: [...seen.changedFiles, event.path] };
    case "result":
      return { ...seen, status: event.result.status };
    default:
      return seen;
  }
}

/** The bytes of all files in a folder. */
export function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      return sum + (statSync(path.join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
}
