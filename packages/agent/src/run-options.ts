import type { ContentPart, Message, Model, Session } from "@toycoder/core";
import type { AnswerSchema } from "./answer-schema.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Limits } from "./limits.ts";

/** What a run stands on. */
export interface RunOptions {
  model: Model;
  session: Session;
  /** What the person asks for. It may be left out where `history` waits for the model's word. */
  task?: string | readonly ContentPart[];
  /** The conversation so far, where the session goes on. The result counts this run alone. */
  history?: readonly Message[];
  /** The number of the session's last answered turn, where it goes on. Default: the answers in `history`. */
  lastTurn?: number;
  /** The system prompt. */
  instructions: string;
  /** What the final answer must be; the result's `output` then holds its value. */
  output?: AnswerSchema;
  limits?: Limits;
  /** Aborts the run; a reason with a number `exitCode` decides the result's. */
  signal?: AbortSignal;
  /** Where the session's changes of files are kept; without one, the result lists none. */
  changes?: ChangeLog;
  /** With more enabled tools than that, the model is offered a core of them, and `tool_search`. Default 20. */
  maxVisible?: number;
  /** Other names to offer tools under, by the tool's own name. */
  alias?: Readonly<Record<string, string>>;
}
