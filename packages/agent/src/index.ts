export { type AnswerSchema, answerSchema, type JudgedAnswer } from "./answer-schema.ts";
export { registerAgentTools } from "./agent-tools.ts";
export { applyCompaction, type CompactionChange } from "./apply-compaction.ts";
export { ChangeLog, type LoggedChange, type Patch } from "./change-log.ts";
export { type AgentEvent, type DeltaBody, type EventBody, isDelta, type Nested, stamp } from "./event.ts";
export type { Limits } from "./limits.ts";
export {
  type ChangeSummary,
  type Denial,
  emptyResult,
  exitCodeOf,
  type RunResult,
  type RunStatus,
} from "./result.ts";
export { runAgent } from "./run-agent.ts";
export type { RunOptions } from "./run-options.ts";
export { findSession, lastSession, sessionIds, workspaceOf, writtenAt } from "./find-session.ts";
export { forkSession } from "./fork-session.ts";
export { DAY, pruneHourly, pruneSessions, type Retention, RETENTION } from "./prune-sessions.ts";
export { removeSession } from "./remove-session.ts";
export { type Conversation, conversationOf, type ResumedSession, resumeSession } from "./resume-session.ts";
export { readSessionFile, type SessionFile } from "./session-file.ts";
export { EVENTS, newSessionId, SessionFolder, sessionsFolder, stateFolder } from "./session-folder.ts";
export { type SessionHistory, sessionHistory, UNCERTAIN } from "./session-history.ts";
export { type SessionSummary, summarizeSession } from "./session-summary.ts";
export { undoChanges, type UndoResult } from "./undo.ts";
export { changesByFile, planUndo, type RefusedFile, type UndoChoice, type UndoPlan } from "./undo-plan.ts";
export { task } from "./task-tool.ts";
export { toolSearch } from "./tool-search-tool.ts";
export { projectInstructions, type ProjectInstructions } from "./project-instructions.ts";
export { type PromptFacts, systemPrompt } from "./system-prompt.ts";
