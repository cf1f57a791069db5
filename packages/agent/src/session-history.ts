import {
  type AssistantPart,
  type Message,
  text,
  type ToolCallPart,
  type ToolResultPart,
} from "@toycoder/core";
import { applyCompaction } from "./apply-compaction.ts";
import type { AgentEvent, EventBody } from "./event.ts";

/** A conversation as its events tell it. */
export interface SessionHistory {
  /** What a next request holds: every call has its result, a synthesized one where it is among `uncertain`. */
  messages: Message[];
  /** The number of the last answered turn; 0 where there is none. */
  lastTurn: number;
  /** The results, as events, of calls that were begun, or about to be, and never ended. */
  uncertain: Extract<EventBody, { type: "tool_result" }>[];
  /** The end, as an event, of a turn that was cut off after its answer. */
  turnEnd: Extract<EventBody, { type: "turn_end" }> | undefined;
  /** Whether the model has the next word: the session was stopped before its answer. */
  open: boolean;
}

/**
 * Rebuilds the messages of a session from its events. An answer that is not whole (its `usage` is missing) never
 * had an effect and is left out, so that the model is asked again.
 */
export function sessionHistory(events: Iterable<AgentEvent>): SessionHistory {
  const builder = new HistoryBuilder();
  for (const event of events) builder.take(event);
  return builder.finish();
}

class HistoryBuilder {
  readonly #messages: Message[] = [];
  #turn = 0;
  #lastTurn = 0;
  /** The turn that was answered and has not ended. */
  #unended: { turn: number; calls: number } | undefined;
  #parts: AssistantPart[] = [];
  #calls: ToolCallPart[] = [];
  #results: ToolResultPart[] = [];

  take(event: AgentEvent): void {
    // A subagent's conversation is not its parent's.
    if (event.parent !== undefined) return;
    switch (event.type) {
      case "user":
        this.#messages.push({ role: "user", content: event.content });
        break;
      case "turn_start":
        this.#turn = event.turn;
        this.#parts = [];
        break;
      case "text":
        this.#parts.push({ type: "text", text: event.text });
        break;
      case "reasoning": {
        const { text: thought, data } = event;
        this.#parts.push({ type: "reasoning", text: thought, ...(data && { data }) });
        break;
      }
      case "tool_call": {
        const { callId: id, name, arguments: args, data } = event;
        this.#parts.push({ type: "tool_call", id, name, arguments: args, ...(data && { data }) });
        break;
      }
      case "compaction":
        this.#messages.splice(0, this.#messages.length, ...applyCompaction(this.#messages, event));
        break;
      case "usage":
        if (event.purpose !== undefined) break;
        this.#messages.push({ role: "assistant", content: this.#parts });
        this.#calls = this.#parts.filter((part) => part.type === "tool_call");
        this.#lastTurn = this.#turn;
        this.#unended = { turn: this.#turn, calls: this.#calls.length };
        this.#parts = [];
        break;
      case "tool_result": {
        const { callId, name, ok, code, content } = event;
        if (this.#calls.length === 0) break;
        this.#results.push({ callId, name, ok, ...(code !== undefined && { code }), content });
        if (this.#results.length === this.#calls.length) this.#answerCalls();
        break;
      }
      case "turn_end":
        this.#unended = undefined;
        break;
      default:
    }
  }

  finish(): SessionHistory {
    const missing = this.#calls.filter(({ id }) => !this.#results.some(({ callId }) => callId === id));
    const uncertain = missing.map((call) => uncertainResult(call, this.#turn));
    for (const event of uncertain) this.take({ v: 1, at: "", ...event });
    const last = this.#messages.at(-1);
    return {
      messages: this.#messages,
      lastTurn: this.#lastTurn,
      uncertain,
      turnEnd: this.#unended && {
        type: "turn_end",
        turn: this.#unended.turn,
        finish: this.#unended.calls > 0 ? "tool_calls" : "stop",
      },
      open: last !== undefined && last.role !== "assistant",
    };
  }

  /** Results come as calls end; the model gets them in call order. */
  #answerCalls(): void {
    const order = this.#calls.map(({ id }) => id);
    const results = this.#results.toSorted((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
    this.#messages.push({ role: "tool", results });
    this.#calls = [];
    this.#results = [];
  }
}

/** The code of a call of which nobody knows whether it has run. */
export const UNCERTAIN = "uncertain";

function uncertainResult({ id, name }: ToolCallPart, turn: number): SessionHistory["uncertain"][number] {
  const message =
    "the run was cut off before this call's result was kept. It may have run wholly, in part, or not at all. Look at what is there before you repeat it.";
  return {
    type: "tool_result",
    turn,
    callId: id,
    name,
    ok: false,
    code: UNCERTAIN,
    content: [text(`Error (${UNCERTAIN}): ${message}`)],
    notes: [],
    durationMs: 0,
  };
}
