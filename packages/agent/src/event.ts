import type { ContentPart, EffectReport, ErrorInfo, FinishReason, ProviderData, Usage } from "@toycoder/core";
import type { CompactionChange } from "./apply-compaction.ts";
import type { LoggedChange } from "./change-log.ts";
import type { RunResult } from "./result.ts";

/** What happened, without the stamp that every line carries. */
export type EventBody =
  | {
      type: "session_start";
      sessionId: string;
      model: string;
      workspace: string;
      /** The task's text; empty where a run goes on without a new one. */
      task: string;
      /** There on every run of a session but its first. */
      resumed?: true;
    }
  /** What the person says, or ToyCoder to the model in the person's place, as the model gets it. */
  | { type: "user"; content: readonly ContentPart[] }
  | { type: "turn_start"; turn: number; tools: readonly string[] }
  | { type: "reasoning"; turn: number; text: string; data?: ProviderData }
  | { type: "text"; turn: number; text: string }
  | {
      type: "tool_call";
      turn: number;
      callId: string;
      name: string;
      arguments: string | Readonly<Record<string, unknown>>;
      data?: ProviderData;
    }
  /** `costUsd` is null where the price is not known; `purpose` is there where it is of no answer of the turn. */
  | ({ type: "usage"; turn: number; costUsd: number | null; purpose?: "compaction" } & Usage)
  | {
      type: "decision";
      callId: string;
      tool: string;
      decision: "allow" | "ask" | "deny" | "disabled";
      rule: string | null;
      reason: string;
      effects: readonly EffectReport[];
      /** The code with which the call was turned away; absent where it ran. */
      refusal?: string;
    }
  | {
      type: "tool_result";
      turn: number;
      callId: string;
      name: string;
      ok: boolean;
      code?: string;
      content: readonly ContentPart[];
      notes: readonly string[];
      durationMs: number;
    }
  | ({ type: "change" } & LoggedChange)
  /** The conversation was shortened before the turn's question, since the model's window was near or over its end. */
  | ({
      type: "compaction";
      turn: number;
      reason: "near" | "overflow";
      tokensBefore: number;
      tokensAfter: number;
    } & CompactionChange)
  | { type: "retry"; turn: number; attempt: number; delayMs: number; error: ErrorInfo }
  | { type: "notice"; code: string; message: string }
  | { type: "turn_end"; turn: number; finish: FinishReason }
  | { type: "result"; result: RunResult };

/** Passing states, for whoever watches; they are not kept in a session file. */
export type DeltaBody =
  | { type: "text_delta"; turn: number; text: string }
  | { type: "reasoning_delta"; turn: number; text: string }
  | { type: "tool_progress"; callId: string; tool: string; message: string };

/**
 * What a subagent's events carry: the id of the `task` call that it works for. They are no part of the parent's
 * conversation. A call's id is unique in one conversation only; `session_start`, `change` and `result` are the run's.
 */
export interface Nested {
  parent?: string;
}

/** One line of a session file or of `stream-json`: the version of the format, the time (ISO 8601, UTC), a body. */
export type AgentEvent = { v: 1; at: string } & Nested & (EventBody | DeltaBody);

const DELTAS: ReadonlySet<string> = new Set(["text_delta", "reasoning_delta", "tool_progress"]);

/** Whether an event is a passing one, which `stream-json` has and a session has not. */
export const isDelta = (event: { type: string }): boolean => DELTAS.has(event.type);

/** An event with the version of the format and the time of now. */
export const stamp = (body: (EventBody | DeltaBody) & Nested): AgentEvent => ({
  v: 1,
  at: new Date().toISOString(),
  ...body,
});
