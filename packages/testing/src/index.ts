export { checkAnthropicTool } from "./check-anthropic-tool.ts";
export { checkOpenAiTool } from "./check-openai-tool.ts";
export { describeModel, type TestApi } from "./describe-model.ts";
export { describePlugin } from "./describe-plugin.ts";
export { importFindings } from "./describe-plugin/import-findings.ts";
export { pluginContract } from "./describe-plugin/plugin-contract.ts";
export { type ProbedImport, probeImport, type SetupReport } from "./describe-plugin/probe-import.ts";
export { type Probed, type ProbeOptions, runProbe } from "./describe-plugin/run-probe.ts";
export type { PluginSubject } from "./describe-plugin/subject.ts";
export { watchEffects, type WatchedEffect, type WatchOptions } from "./describe-plugin/watch-effects.ts";
export { type ImportReport, newHandles, openHandles, watchImport } from "./describe-plugin/watch-import.ts";
export { describeTool } from "./describe-tool.ts";
export { tellingWords } from "./describe-tool/description-findings.ts";
export { encodeFindings, lossesOf, type ToolEncoder } from "./describe-tool/encode-findings.ts";
export { inspectTool } from "./describe-tool/inspect-tool.ts";
export { pathParameter } from "./describe-tool/level-findings.ts";
export { type Parameter, parametersOf } from "./describe-tool/parameter-findings.ts";
export type { ToolExample, ToolSubject, WrongInput } from "./describe-tool/subject.ts";
export { toolContract } from "./describe-tool/tool-contract.ts";
export { fakeProvider, type FakeProvider, type ReceivedRequest, type Reply } from "./fake-provider.ts";
export { type Finding, findingText } from "./finding.ts";
export { hasProgram } from "./has-program.ts";
export { modelContract } from "./model-contract/model-contract.ts";
export type {
  AnswerCall,
  ContractAnswer,
  ContractCase,
  FaultKind,
  ModelSubject,
  ModelWire,
  PlayedModel,
  PlayedSubject,
  ReasoningSample,
  SentPart,
  SentRequest,
  WireFault,
  WireSettings,
  WireSubject,
} from "./model-contract/subject.ts";
export { type BodyEnd, eventStream, type Replies, reply } from "./reply.ts";
export {
  answerOf,
  eventsOf,
  type ModelRun,
  runModel,
  type RunModelOptions,
  sampleTool,
  say,
} from "./run-model.ts";
export {
  scriptedModel,
  type ScriptedModel,
  type ScriptedTurn,
  type ScriptedTurnOrMaker,
} from "./scripted-model.ts";
export { tempWorkspace, type TempWorkspace } from "./temp-workspace.ts";
export { runTool, toolBench, type ToolBench, type ToolBenchOptions } from "./tool-bench.ts";
