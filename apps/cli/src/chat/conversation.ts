import {
  ChangeLog,
  conversationOf,
  type EventBody,
  EVENTS,
  type Limits,
  newSessionId,
  readSessionFile,
  runAgent,
  type RunResult,
  SessionFolder,
  type SessionFile,
  type SessionSummary,
  sessionsFolder,
  stamp,
  summarizeSession,
  undoChanges,
  type UndoResult,
} from "@toycoder/agent";
import path from "node:path";
import { type Ask, type Model, type Session, text } from "@toycoder/core";
import { toolAliases } from "../register-plugins.ts";
import type { Renderer } from "../render/renderer.ts";
import { followRun } from "../run/follow-run.ts";
import type { SetUp } from "../set-up.ts";

export interface ConversationParts {
  ready: SetUp;
  state: string;
  instructions: string;
  /** What is to be told when the session begins. */
  notices: readonly EventBody[];
  limits: Limits;
  ask: (session: () => Session) => Ask;
}

/** One session of a chat: each task is a run of the engine with the history so far. */
export class Conversation {
  readonly id: string;
  readonly session: Session;
  readonly #parts: ConversationParts;
  readonly #path: string;
  /** Made with the first task, so that a chat without one leaves nothing behind. */
  #folder: SessionFolder | undefined;
  #changes: ChangeLog | undefined;
  #begun = false;

  /** A new session, or the one in `found`. Throws a SetupError where it can't be opened. */
  constructor(parts: ConversationParts, found?: string) {
    this.#parts = parts;
    this.#path = found ?? path.join(sessionsFolder(parts.state), newSessionId());
    this.id = path.basename(this.#path);
    if (found !== undefined) this.#folder = SessionFolder.open(found).session;
    this.session = parts.ready.openSession({
      id: this.id,
      spillFolder: path.join(this.#path, "spill"),
      onChange: (change) => this.#changes?.record(change),
      ask: parts.ask(() => this.session),
    });
  }

  /** Undefined before the first task. */
  get summary(): SessionSummary | undefined {
    return this.#folder && summarizeSession(this.#path);
  }

  /** What the session holds so far; undefined before the first task. */
  get file(): SessionFile | undefined {
    return this.#folder && readSessionFile(path.join(this.#path, EVENTS));
  }

  /** Runs a task to its end. Throws a SetupError where the session can't be kept. */
  async run(task: string, model: Model, signal: AbortSignal, renderer: Renderer): Promise<RunResult> {
    const { ready, instructions, limits, notices } = this.#parts;
    const { file } = this;
    const folder = (this.#folder ??= SessionFolder.create(this.#parts.state, this.id));
    const { history = [], lastTurn, note, opening = [] } = file === undefined ? {} : conversationOf(file);
    const changes = new ChangeLog(folder.folder);
    this.#changes = changes;
    const stop = new AbortController();
    const tell = (body: EventBody): void => {
      const event = stamp(body);
      folder.append(event);
      renderer.event(event);
    };
    const { maxVisible, alias } = ready.loaded.config.tools;
    const events = runAgent({
      model,
      session: this.session,
      task: [...(note === undefined ? [] : [text(note)]), text(task)],
      history,
      ...(lastTurn !== undefined && { lastTurn }),
      instructions,
      signal: AbortSignal.any([signal, stop.signal]),
      changes,
      limits,
      maxVisible,
      alias: toolAliases(alias),
    });
    return await followRun(events, stop, (event) => {
      folder.append(event);
      renderer.event(event);
      if (event.type === "session_start") {
        for (const body of opening) tell(body);
        if (!this.#begun) for (const body of notices) tell(body);
        this.#begun = true;
      }
      return event;
    });
  }

  /** Puts back what the session's tools changed; once more does it again. Undefined before the first task. */
  undo(): UndoResult | undefined {
    const { file } = this;
    return this.#folder && file && undoChanges(this.#folder, file);
  }

  close(): void {
    this.session.dispose();
    this.#folder?.close();
    this.#folder = undefined;
  }
}
