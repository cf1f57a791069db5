import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { TempWorkspace } from "@toycoder/testing";
import { parse } from "yaml";
import { outputsIn } from "./github-step.ts";
import { BIN } from "./run-toycoder.ts";
import { commandsIn, type FoundCommand } from "./runner-commands.ts";

/** The repository, where the action's files lie. */
export const ACTION_ROOT: string = fileURLToPath(new URL("../../../../", import.meta.url));

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { run: string; env: Record<string, string> }[] };
}

/** What is to be seen of a step that used the action. */
export interface FinishedStep {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The workflow commands on both streams. */
  commands: FoundCommand[];
  outputs: Record<string, string>;
  summary: string;
}

/**
 * Runs the action as a runner does: the script of action.yml in bash, with the variables of a step. `folder` holds
 * the checkout in `repo`, and the runner's files. The command is the built one, unless `version` says otherwise.
 * Where `stopAt` comes on stderr, the step is cancelled as a runner does it.
 */
export async function runAction(
  folder: TempWorkspace,
  inputs: Record<string, string>,
  env: Record<string, string> = {},
  stopAt?: string,
): Promise<FinishedStep> {
  const action = parse(readFileSync(`${ACTION_ROOT}action.yml`, "utf8")) as Action;
  const [step] = action.runs.steps;
  if (step === undefined) throw new Error("action.yml has no step");
  const value = (name: string): string =>
    inputs[name] ?? (name === "version" ? BIN : (action.inputs[name]?.default ?? ""));
  const inputVariables = Object.entries(step.env).map(([name, expression]) => [
    name,
    value(/^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? ""),
  ]);
  const [output, summary] = [folder.write("runner/output", ""), folder.write("runner/summary.md", "")];
  folder.write("runner/temp/.keep", "");
  const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.run], {
    cwd: folder.path("repo"),
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: `${process.execPath.replace(/\/node$/, "")}:${process.env["PATH"]}`,
      HOME: folder.path("home"),
      OLLAMA_HOST: "http://127.0.0.1:9",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: ACTION_ROOT,
      GITHUB_WORKSPACE: folder.path("repo"),
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_ENV: folder.path("runner/env"),
      RUNNER_TEMP: folder.path("runner/temp"),
      ...(Object.fromEntries(inputVariables) as Record<string, string>),
      ...env,
    },
  });
  let shown = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (stopAt === undefined || shown.includes(stopAt)) return;
    shown += chunk.toString();
    if (shown.includes(stopAt)) child.kill("SIGINT");
  });
  const [stdout, stderr, [code]] = (await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ])) as [string, string, [number | null]];
  const own = outputsIn(existsSync(output) ? readFileSync(output, "utf8") : "");
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    own[/^\$\{\{ steps\.run\.outputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? ""] ?? "",
  ]);
  return {
    code,
    stdout,
    stderr,
    commands: [...commandsIn(stdout), ...commandsIn(stderr)],
    outputs: Object.fromEntries(outputs) as Record<string, string>,
    summary: existsSync(summary) ? readFileSync(summary, "utf8") : "",
  };
}
