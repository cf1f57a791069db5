import type { ContentPart, EffectReport, ErrorInfo, FinishReason, ProviderData, Usage } from "@toycoder/core";
import type { RunResult } from "./result.ts";

/** What happened, without the stamp that every line carries. */
export type EventBody =
  | { type: "session_start"; sessionId: string; model: string; workspace: string; task: string }
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
  | ({ type: "usage"; turn: number } & Usage)
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
  | {
      type: "change";
      path: string;
      kind: "created" | "modified" | "deleted";
      additions: number;
      deletions: number;
      /** The file of the session folder that holds the bytes before; null where there was no file. */
      before: string | null;
    }
  | { type: "retry"; turn: number; attempt: number; delayMs: number; error: ErrorInfo }
  | { type: "notice"; code: string; message: string }
  | { type: "turn_end"; turn: number; finish: FinishReason }
  | { type: "result"; result: RunResult };

/** Passing states, for whoever watches; they are not kept in a session file. */
export type DeltaBody =
  | { type: "text_delta"; turn: number; text: string }
  | { type: "reasoning_delta"; turn: number; text: string }
  | { type: "tool_progress"; callId: string; tool: string; message: string };

/** One line of a session file or of `stream-json`: the version of the format, the time (ISO 8601, UTC), a body. */
export type AgentEvent = { v: 1; at: string } & (EventBody | DeltaBody);

const DELTAS: ReadonlySet<string> = new Set(["text_delta", "reasoning_delta", "tool_progress"]);

export const isDelta = (event: { type: string }): boolean => DELTAS.has(event.type);

export const stamp = (body: EventBody | DeltaBody): AgentEvent => ({
  v: 1,
  at: new Date().toISOString(),
  ...body,
});
