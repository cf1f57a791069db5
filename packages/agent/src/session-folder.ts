import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { messageOf, SetupError } from "@toycoder/core";
import { type AgentEvent, isDelta } from "./event.ts";

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

/** One session on disk: `events.jsonl` (append-only), `before/` (before-images), `spill/` (large results). */
export class SessionFolder {
  readonly folder: string;
  readonly id: string;
  readonly #descriptor: number;
  #pending = "";

  private constructor(folder: string, id: string, descriptor: number) {
    this.folder = folder;
    this.id = id;
    this.#descriptor = descriptor;
  }

  /** Makes the folder, readable by its owner alone. Throws a SetupError `session_folder` where that can't be done. */
  static create(state: string, id: string): SessionFolder {
    const folder = path.join(state, "sessions", id);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return new SessionFolder(folder, id, openSync(path.join(folder, "events.jsonl"), "ax", 0o600));
    } catch (error) {
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

  get spillFolder(): string {
    return path.join(this.folder, "spill");
  }

  /**
   * Appends an event, deltas left out. Lines are written in whole batches: when a model's answer is complete
   * (before any of its calls runs), at the end of a turn, and at the end of the run. A process killed at any moment
   * leaves whole lines, but for the last.
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
  }
}

const FLUSHING: ReadonlySet<string> = new Set(["session_start", "usage", "turn_end", "result"]);
