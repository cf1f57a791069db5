export {
  type DispatchErrorCode,
  type ErrorInfo,
  errorInfo,
  type Failure,
  fail,
  isFailure,
  isModelError,
  isSetupError,
  isToolError,
  messageOf,
  ModelError,
  type ModelErrorKind,
  SetupError,
  ToolError,
} from "./errors.ts";
export {
  type AssistantPart,
  type ContentPart,
  type ImagePart,
  type Message,
  type ProviderData,
  type ReasoningPart,
  text,
  textOf,
  type TextPart,
  type ToolCall,
  type ToolCallPart,
  type ToolResult,
  type ToolResultPart,
} from "./message.ts";
export type { FinishReason, Model, ModelEvent, ModelOptions, ModelRequest } from "./model.ts";
export { costOf, type ModelPrices, type TokenPrices } from "./model-prices.ts";
export { addUsage, NO_USAGE, type Usage } from "./usage.ts";
export {
  CATEGORIES,
  type Category,
  defineTool,
  type Deprecation,
  type EffectContext,
  type FileChange,
  isTool,
  type Tool,
  type ToolContext,
  type ToolOptions,
} from "./tool.ts";
export {
  definePlugin,
  isPlugin,
  isPluginFactory,
  type ModelMaker,
  type Plugin,
  type PluginContext,
  type PluginFactory,
  type PluginOptions,
  type PluginParts,
} from "./plugin.ts";
export type { BeforeToolCall, HookCall, Hooks } from "./hooks.ts";
export { type ListFilter, type RegisterOptions, type RegistryChange, ToolRegistry } from "./registry.ts";
export type { ToolOrigin } from "./tool-origin.ts";
export type { FunctionOptions, ToolFunction } from "./tool-function.ts";
export type { Dependency } from "./dependency.ts";
export { type DependencyProblem, describeDependency } from "./check-dependencies.ts";
export { createMask, type Mask } from "./secrets.ts";
export {
  createToolIndex,
  type ToolHit,
  type ToolIndex,
  type ToolIndexOptions,
  type ToolSearchOptions,
} from "./tool-search.ts";
export type { SearchableTool } from "./tool-search/tool-fields.ts";
export { DEFAULT_SEARCH_WEIGHTS, type SearchWeights } from "./tool-search/search-weights.ts";
export {
  type ApprovalRequest,
  type Ask,
  createSession,
  type Session,
  type SessionOptions,
} from "./session.ts";
export { dispatch, dispatchAll, type DispatchEvent, type DispatchOptions } from "./dispatch/dispatch.ts";
export { judge, type Judged } from "./dispatch/authorize.ts";
export { wholeCharacters } from "./dispatch/finish.ts";
export { nearest } from "./nearest.ts";
export type { ApprovalAnswer } from "./permission/approvals.ts";
export type { Effect, EffectReport, ResolvedEffect } from "./permission/effect.ts";
export { type Decision, evaluate, type PermissionRequest } from "./permission/evaluate.ts";
export { type LevelDecision, PERMISSION_LEVELS, PermissionLevel } from "./permission/level.ts";
export type { PathBounds } from "./permission/path-bounds.ts";
export type { ToolFacts } from "./permission/match.ts";
export {
  checkRuleNames,
  createPolicy,
  type OnAsk,
  type Policy,
  type PolicyOptions,
} from "./permission/policy.ts";
export { parseRule, type Rule } from "./permission/rule.ts";
export { createWorkspace, type ResolvedPath, type Workspace } from "./permission/workspace.ts";
export type { JsonSchema, Problem } from "./schema/json-schema.ts";
export { jsonSchema, type RawSchema } from "./schema/raw-schema.ts";
export { describeSchema, type InputSchema } from "./schema/to-json-schema.ts";
export { describeProblems, formatPath, problemsOf, validate, type Validated } from "./schema/validate.ts";
