import { nearest } from "@toycoder/core";
import type { Command } from "../command.ts";
import { bashCompletions } from "../completions/bash.ts";
import { type CompletableCommand, describeCommands } from "../completions/describe-commands.ts";
import { fishCompletions } from "../completions/fish.ts";
import { zshCompletions } from "../completions/zsh.ts";
import { UsageError } from "../usage-error.ts";

const SHELLS: Readonly<Record<string, (commands: readonly CompletableCommand[]) => string>> = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
};

/** `toycoder completions`, for these commands. */
export const completions = (commands: Readonly<Record<string, () => Promise<Command>>>): Command => ({
  usage: "bash | zsh | fish",
  words: Object.keys(SHELLS),
  summary: "prints a script that completes the commands and their flags in a shell",
  details: `Examples:
  eval "$(toycoder completions bash)"      in ~/.bashrc
  eval "$(toycoder completions zsh)"       in ~/.zshrc, after compinit
  toycoder completions fish > ~/.config/fish/completions/toycoder.fish`,
  flags: {},
  async run({ words: [shell = "", ...more] }, io) {
    const script = Object.hasOwn(SHELLS, shell) && more.length === 0 ? SHELLS[shell] : undefined;
    if (script === undefined) {
      const [near] = nearest(shell, Object.keys(SHELLS), 1);
      throw new UsageError(
        shell === "" ? "for which shell?" : `there are no completions for ${[shell, ...more].join(" ")}`,
        near === undefined ? "toycoder completions bash, zsh or fish" : `did you mean ${near}?`,
      );
    }
    io.stdout.write(script(await describeCommands(commands)));
    return 0;
  },
});
