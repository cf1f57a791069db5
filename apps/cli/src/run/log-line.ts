import type { AgentEvent, RunResult } from "@toycoder/agent";

/** What the log keeps of an event: who, when and how it went, never the texts. Undefined for what it leaves out. */
export function eventLine(event: AgentEvent): object | undefined {
  switch (event.type) {
    case "session_start": {
      const { type, sessionId, model, workspace } = event;
      return { type, sessionId, model, workspace };
    }
    case "turn_start":
      return { type: event.type, turn: event.turn, tools: event.tools };
    case "turn_end":
      return { type: event.type, turn: event.turn, finish: event.finish };
    case "retry": {
      const { type, turn, attempt, delayMs, error } = event;
      return { type, turn, attempt, delayMs, error };
    }
    case "decision": {
      const { callId, tool, decision, rule, refusal } = event;
      return { type: "tool_start", callId, tool, decision, rule, ...(refusal !== undefined && { refusal }) };
    }
    case "tool_result": {
      const { callId, name: tool, ok, code, durationMs } = event;
      return { type: "tool_end", callId, tool, ok, ...(code !== undefined && { code }), durationMs };
    }
    case "usage":
    case "notice": {
      const { v: _, at: __, ...body } = event;
      return body;
    }
    default:
      return undefined;
  }
}

/** The log's last line. */
export function resultLine({
  status,
  exitCode,
  error,
  turns,
  toolCalls,
  durationMs,
  usage,
}: RunResult): object {
  return { type: "result", status, exitCode, error, turns, toolCalls, durationMs, usage };
}
