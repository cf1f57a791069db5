export { ChangeLog, type LoggedChange, type Patch } from "./change-log.ts";
export { type AgentEvent, type DeltaBody, type EventBody, isDelta, stamp } from "./event.ts";
export type { Limits } from "./limits.ts";
export {
  type ChangeSummary,
  type Denial,
  emptyResult,
  exitCodeOf,
  type RunResult,
  type RunStatus,
} from "./result.ts";
export { runAgent, type RunOptions } from "./run-agent.ts";
export { newSessionId, SessionFolder, stateFolder } from "./session-folder.ts";
export { type PromptFacts, systemPrompt } from "./system-prompt.ts";
