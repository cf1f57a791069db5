export { type Aliases, createAliases, type NameLimits } from "./alias.ts";
export { cleanBaseURL } from "./base-url.ts";
export { argumentsObject } from "./call-arguments.ts";
export { createCallIds } from "./call-ids.ts";
export {
  brokenOff,
  callModel,
  type CallOptions,
  DEFAULT_IDLE_TIMEOUT_MS,
  type Protocol,
} from "./call-model.ts";
export { classifyFailure, type Failure, type FailureContext } from "./classify-failure.ts";
export { type CleanRules, cleanSchema, type LostKeyword } from "./clean-schema.ts";
export { isContextOverflow } from "./context-overflow.ts";
export {
  type EncodedTools,
  encodeToolsFor,
  type LoweredSchema,
  lowerSchema,
  type SkippedTool,
  type ToolCodec,
  type WireRules,
  type WireTool,
} from "./encode-tools.ts";
export { environmentFetch, type ProxyModule } from "./environment-fetch.ts";
export { errorText, isHtml, shownUrl } from "./error-text.ts";
export { flattenRoot, isPlainRoot } from "./flatten-root.ts";
export { hoistReferences } from "./hoist-references.ts";
export { imageType, type ImageType } from "./image-type.ts";
export { matchesGlob } from "./matches-glob.ts";
export { type FactTable, findFacts, type ModelFacts, modelFacts } from "./model-facts.ts";
export {
  fromEnvironment,
  hasHeader,
  type ModelSettings,
  type ReasoningEffort,
  secretsOf,
} from "./model-settings.ts";
export { fields, isRecord, listOf, numberOr, stringOr } from "./json-fields.ts";
export { type ProviderFault, readFault, StreamFault } from "./provider-fault.ts";
export { type Answer, readAnswer } from "./read-answer.ts";
export { keepLast, oncePer, onceMade } from "./remember.ts";
export { type RetryOptions, withRetry } from "./retry.ts";
export { retryAfterMs } from "./retry-after.ts";
export { type NotStrict, type StrictSchema, toStrictSchema } from "./strict-schema.ts";
export { textHash } from "./text-hash.ts";
export { type HistoryRules, validHistory } from "./valid-history.ts";
export { withFallback } from "./with-fallback.ts";
export { createWatchdog, type Watchdog } from "./watchdog.ts";
