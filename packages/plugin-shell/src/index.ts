export { shellPlugin, type ShellOptions } from "./plugin.ts";
export {
  type CommandResult,
  createRunCommand,
  type RunCommandInput,
  type RunCommandOptions,
} from "./run-command.ts";
export { commandEffects, type CommandSettings } from "./command-effects.ts";
export { openSandbox, type Sandbox, type SandboxMode } from "./sandbox/sandbox.ts";
