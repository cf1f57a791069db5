import type { Completable, CompletableCommand, CompletableFlag } from "./describe-commands.ts";

/** A script for fish. */
export function fishCompletions(commands: readonly CompletableCommand[]): string {
  const lines = commands.flatMap(({ name, summary, words, flags }) => [
    `complete -c toycoder -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...(words.length === 0
      ? []
      : [
          `complete -c toycoder -n ${quote(`__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${words.join(" ")}`)} -a ${quote(words.join(" "))}`,
        ]),
    ...flags.map((flag) => flagLine(name, flag)),
  ]);
  const names = commands.map(({ name }) => name).join(" ");
  return `# toycoder for fish: toycoder completions fish > ~/.config/fish/completions/toycoder.fish
complete -c toycoder -f
complete -c toycoder -n __fish_use_subcommand -l version -d 'the version'
complete -c toycoder -n __fish_use_subcommand -a help -d 'what a command does'
complete -c toycoder -n '__fish_seen_subcommand_from help' -a ${quote(names)}
${lines.join("\n")}
`;
}

const flagLine = (command: string, { name, help, takes }: CompletableFlag): string =>
  `complete -c toycoder -n ${quote(`__fish_seen_subcommand_from ${command}`)} -l ${name}${argumentOf(takes)} -d ${quote(help)}`;

function argumentOf(takes: Completable): string {
  if (typeof takes === "object") return ` -x -a ${quote(takes.words.join(" "))}`;
  if (takes === "nothing") return "";
  if (takes === "file") return " -r -F";
  return takes === "folder" ? " -x -a '(__fish_complete_directories)'" : " -x";
}

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
