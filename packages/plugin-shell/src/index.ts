export { shellPlugin, type ShellOptions } from "./plugin.ts";
export {
  type CommandResult,
  createRunCommand,
  type RunCommandInput,
  type RunCommandOptions,
} from "./run-command.ts";
export { commandEffects } from "./command-effects.ts";
