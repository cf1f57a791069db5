export { checkAnthropicTool } from "./check-anthropic-tool.ts";
export { checkOpenAiTool } from "./check-openai-tool.ts";
export { describeModel, type TestApi } from "./describe-model.ts";
export { fakeProvider, type FakeProvider, type ReceivedRequest, type Reply } from "./fake-provider.ts";
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
