import type { Message } from "@toycoder/core";
import type { AgentEvent, EventBody } from "./event.ts";
import type { SessionFile } from "./session-file.ts";
import { sessionHistory } from "./session-history.ts";
import { SessionFolder } from "./session-folder.ts";

/** A session's conversation, to go on with. */
export interface Conversation {
  /** What the model is to have as its conversation so far. */
  history: Message[];
  /** The number of the session's last answered turn. */
  lastTurn: number;
  /** Whether the model has the next word, so that no new task is needed. */
  open: boolean;
  /** What the model must be told before anything else: files that a person has put back. */
  note: string | undefined;
  /** To be kept and shown after the run's `session_start`: what was dropped, and which calls are uncertain. */
  opening: EventBody[];
}

/** A session that goes on. */
export interface ResumedSession extends Conversation {
  /** Open and locked; whoever resumes it closes it. */
  session: SessionFolder;
}

/** Opens a session to go on with. Throws what `SessionFolder.open` throws. */
export function resumeSession(folder: string): ResumedSession {
  const { session, file } = SessionFolder.open(folder);
  return { session, ...conversationOf(file) };
}

/** What a session that is open already goes on with. */
export function conversationOf(file: SessionFile): Conversation {
  const { messages, lastTurn, uncertain, turnEnd, open } = sessionHistory(file.events);
  const opening: EventBody[] = [];
  if (file.tornBytes > 0) {
    const message = `the last line of the session was cut off when it was written: ${file.tornBytes} bytes are dropped`;
    opening.push({ type: "notice", code: "torn_line", message });
  }
  if (uncertain.length > 0) {
    const names = uncertain.map(({ name }) => name).join(", ");
    const message = `the session was cut off during calls that may or may not have run, and are not repeated: ${names}`;
    opening.push({ type: "notice", code: "uncertain", message });
  }
  const note = undoneNote(file.events);
  return {
    history: messages,
    lastTurn,
    open,
    note,
    opening: [...opening, ...uncertain, ...(turnEnd === undefined ? [] : [turnEnd])],
  };
}

function undoneNote(events: readonly AgentEvent[]): string | undefined {
  const from = events.findLastIndex(({ type }) => type === "session_start");
  const last = new Map<string, "undo" | "redo">();
  for (const event of events.slice(from + 1))
    if (event.type === "change" && event.by !== undefined) last.set(event.path, event.by);
  const undone = [...last].flatMap(([name, by]) => (by === "undo" ? [name] : []));
  if (undone.length === 0) return undefined;
  return `[The person has undone your changes of ${undone.join(", ")}: look again before you rely on them.]`;
}
