import type { AgentEvent, RunResult } from "@toycoder/agent";

/** Shows a run as it goes. `result` comes once, last, also for a run that never began. */
export interface Renderer {
  event(event: AgentEvent): void;
  result(result: RunResult): void;
}
