import { randomBytes } from "node:crypto";
import { closeSync, constants, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { isSetupError, messageOf, SetupError } from "@toycoder/core";
import { type AgentEvent, isDelta } from "./event.ts";
import { readSessionFile, type SessionFile } from "./session-file.ts";
import { SessionLock } from "./session-lock.ts";

/** `$TOYCODER_STATE_DIR`, else `$XDG_STATE_HOME/toycoder`, else `~/.local/state/toycoder`. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env["TOYCODER_STATE_DIR"]) return path.resolve(env["TOYCODER_STATE_DIR"]);
  const base = env["XDG_STATE_HOME"] || path.join(env["HOME"] || homedir(), ".local", "state");
  return path.join(base, "toycoder");
}

/** A new session's name: sortable by time, for instance `20260131-094512-3fa9c1`. */
export function newSessionId(now: Date = new Date()): string {
  const [day = "", time = ""] = now.toISOString().split("T");
  return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${randomBytes(3).toString("hex")}`;
}

/** Where the sessions of a state folder lie, each in a folder of its name. */
export const sessionsFolder = (state: string): string => path.join(state, "sessions");

/**
 * One session on disk, opened to be written: `events.jsonl` (append-only), `before/` (before-images), `spill/`
 * (large results). It is locked until `close`, or the end of the process.
 */
export class SessionFolder {
  readonly folder: string;
  readonly id: string;
  readonly #lock: SessionLock;
  readonly #descriptor: number;
  #pending = "";

  private constructor(folder: string, flags: string | number) {
    this.folder = folder;
    this.id = path.basename(folder);
    this.#lock = SessionLock.acquire(folder);
    try {
      this.#descriptor = openSync(path.join(folder, EVENTS), flags, 0o600);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
  }

  /** Makes the folder, readable by its owner alone. Throws a SetupError `session_folder` where that can't be done. */
  static create(state: string, id: string): SessionFolder {
    const folder = path.join(sessionsFolder(state), id);
    return usable(folder, () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return new SessionFolder(folder, "ax");
    });
  }

  /**
   * Opens a session that is there, to go on after its last whole line: what a killed process left of a further one
   * is cut away. Throws a SetupError: `session_locked`, `session_damaged`, `session_version`, `session_folder`.
   */
  static open(folder: string): { session: SessionFolder; file: SessionFile } {
    return usable(folder, () => {
      const session = new SessionFolder(folder, constants.O_WRONLY | constants.O_APPEND);
      try {
        const file = readSessionFile(path.join(folder, EVENTS));
        ftruncateSync(session.#descriptor, file.wholeBytes);
        return { session, file };
      } catch (error) {
        session.close();
        throw error;
      }
    });
  }

  get spillFolder(): string {
    return path.join(this.folder, "spill");
  }

  /**
   * Appends an event, deltas left out. Lines are written in whole batches: when a model's answer is complete
   * (before any of its calls runs), after every change and result, at the end of a turn, and at the end of the run.
   * A process killed at any moment leaves whole lines, but for the last.
   */
  append(event: AgentEvent): void {
    if (isDelta(event)) return;
    this.#pending += `${JSON.stringify(event)}\n`;
    if (FLUSHING.has(event.type)) this.flush();
  }

  /** Throws a SetupError `session_folder` where the disk refuses the lines. */
  flush(): void {
    const bytes = Buffer.from(this.#pending);
    this.#pending = "";
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#descriptor, bytes, written);
    } catch (error) {
      throw new SetupError(
        "session_folder",
        `the session ${this.folder} cannot be written: ${messageOf(error)}`,
      );
    }
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#lock.release();
  }
}

/** The file of a session that holds its events. */
export const EVENTS = "events.jsonl";

/** After what the lines must be on disk: before a call runs, and whenever something has changed. */
const FLUSHING: ReadonlySet<string> = new Set([
  "session_start",
  "user",
  "usage",
  "change",
  "tool_result",
  "turn_end",
  "result",
]);

function usable<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (isSetupError(error)) throw error;
    throw new SetupError(
      "session_folder",
      `the session folder ${folder} cannot be used: ${messageOf(error)}`,
      {
        hint: "set TOYCODER_STATE_DIR to a folder that can be written",
        cause: error,
      },
    );
  }
}
