export { hasProgram } from "./has-program.ts";
export {
  scriptedModel,
  type ScriptedModel,
  type ScriptedTurn,
  type ScriptedTurnOrMaker,
} from "./scripted-model.ts";
export { tempWorkspace, type TempWorkspace } from "./temp-workspace.ts";
export { runTool, toolBench, type ToolBench, type ToolBenchOptions } from "./tool-bench.ts";
