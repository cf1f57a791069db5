import type { Command } from "../command.ts";
import type { Flag } from "../flags.ts";

/** What can follow a flag: one of some words, a file, a folder, or something that no shell knows. */
export type Completable = { words: readonly string[] } | "file" | "folder" | "other" | "nothing";

export interface CompletableFlag {
  name: string;
  help: string;
  many: boolean;
  takes: Completable;
}

/** A command as a completion script sees it. */
export interface CompletableCommand {
  name: string;
  summary: string;
  /** The words that may come first after it. */
  words: readonly string[];
  flags: readonly CompletableFlag[];
}

/** The commands by their own tables. */
export async function describeCommands(
  commands: Readonly<Record<string, () => Promise<Command>>>,
): Promise<CompletableCommand[]> {
  const described = Object.entries(commands).map(async ([name, load]) => {
    const { summary, words = [], flags } = await load();
    const all = Object.entries({ ...flags, help: { help: "what the command does, and its flags" } });
    return { name, summary, words, flags: all.map(([flag, one]) => describeFlag(flag, one)) };
  });
  return await Promise.all(described);
}

const describeFlag = (name: string, flag: Flag): CompletableFlag => ({
  name,
  help: flag.help,
  many: flag.many === true,
  takes: takes(flag),
});

function takes({ value, choices }: Flag): Completable {
  if (choices !== undefined) return { words: choices };
  if (value === undefined) return "nothing";
  return value === "FILE" ? "file" : value === "FOLDER" ? "folder" : "other";
}
