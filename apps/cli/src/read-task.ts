import { readFile } from "node:fs/promises";
import path from "node:path";
import { text as readAll } from "node:stream/consumers";
import { messageOf } from "@toycoder/core";
import type { ParsedFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The task: the words of the command line, else `--file`, else stdin. Stdin is read only where nothing else gives
 * a task, so that one that is open and silent holds nothing up. Throws a UsageError where there is no task.
 */
export async function readTask(flags: ParsedFlags, io: Io): Promise<string> {
  return (await givenTask(flags, io)) ?? filled(await fromStdin(io));
}

/** The task as words or from `--file`, where the command line gives one. Throws a UsageError for an empty one. */
export async function givenTask(flags: ParsedFlags, io: Io): Promise<string | undefined> {
  const words = flags.words.join(" ");
  const file = flags.get("file");
  if (words !== "" && file !== undefined) throw new UsageError("give the task once: as words or with --file");
  if (words !== "") return filled(words);
  return file === undefined ? undefined : filled(await fromFile(path.resolve(io.cwd, file)));
}

function filled(task: string): string {
  if (task.trim() === "") throw new UsageError("the task is empty", 'toycoder run "what is to be done"');
  return task;
}

async function fromFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`--file: ${messageOf(error)}`);
  }
}

async function fromStdin({ stdin, signal }: Io): Promise<string> {
  if (stdin.isTTY) throw new UsageError("there is no task", 'toycoder run "what is to be done"');
  signal.addEventListener("abort", () => stdin.destroy(), { once: true });
  return await readAll(stdin);
}
