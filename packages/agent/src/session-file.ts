import { readFileSync } from "node:fs";
import { messageOf, SetupError } from "@toycoder/core";
import type { AgentEvent } from "./event.ts";

/** What the events file of a session holds. */
export interface SessionFile {
  events: AgentEvent[];
  /** Up to the end of the last whole line. */
  wholeBytes: number;
  /** The bytes after it: a line that was being written when the process was killed. */
  tornBytes: number;
}

/**
 * Reads `events.jsonl`. A last line that is not whole is left out and counted. Throws a SetupError with file and
 * line: `session_damaged` for a broken line before the last, `session_version` for one of a newer format.
 */
export function readSessionFile(file: string): SessionFile {
  const bytes = readFileSync(file);
  const events: AgentEvent[] = [];
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1) break;
    const event = parseEvent(bytes.toString("utf8", start, end), `${file}:${line}`, end === bytes.length - 1);
    if (event === undefined) break;
    events.push(event);
    start = end + 1;
  }
  return { events, wholeBytes: start, tornBytes: bytes.length - start };
}

/** Undefined for a last line that is no JSON: a disk that lost power may keep its length and not its bytes. */
function parseEvent(text: string, place: string, last: boolean): AgentEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (last) return undefined;
    throw damaged(place, messageOf(error));
  }
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string")
    throw damaged(place, 'a line is an object with a "type"');
  if (!("v" in value) || value.v !== 1) throw newerVersion(place, "v" in value ? value.v : undefined);
  return value as AgentEvent;
}

const damaged = (place: string, problem: string): SetupError =>
  new SetupError("session_damaged", `${place}: ${problem}`, {
    hint: "put the line right, or remove the session: toycoder sessions rm ID",
  });

const newerVersion = (place: string, version: unknown): SetupError =>
  new SetupError(
    "session_version",
    `${place}: format version ${String(version)} is not known here; this version reads 1`,
    { hint: "the session was written by a newer toycoder: use that one" },
  );
