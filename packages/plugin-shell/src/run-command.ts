import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { defineTool, type Tool, type ToolContext, ToolError } from "@toycoder/core";
import * as z from "zod";
import { commandEffects } from "./command-effects.ts";
import { commandEnvironment, type EnvironmentOptions } from "./environment.ts";
import { Output } from "./output.ts";
import { CommandProgress } from "./command-progress.ts";
import { EnclosureError, type ProcessEnd, runProcess } from "./process.ts";
import { enclose, type Sandbox, withoutSandbox } from "./sandbox/sandbox.ts";
import { sandboxSource } from "./sandbox/sandbox-environment.ts";
import { findShell } from "./shell-path.ts";

/** What `run_command` takes. */
export interface RunCommandInput {
  command: string;
  workdir: string;
  /** Seconds. */
  timeout: number;
}

/** How a command ended. `exitCode` is null where a signal ended it. */
export interface CommandResult {
  exitCode: number | null;
  signal: string | null;
  durationMs: number;
  /** stdout and stderr in their order, cut to 10,000 characters. */
  output: string;
  /** `session:NAME` of the whole output, where it was cut. */
  outputFile?: string;
  /** It ran in a sandbox. */
  sandbox?: true;
  /** What it did against the rules, that the sandbox could not prevent and that was put right. */
  violations?: readonly string[];
}

/** How commands are run. */
export interface RunCommandOptions extends EnvironmentOptions {
  /** Seconds that a command may take where the call says nothing. */
  timeoutSeconds: number;
  /** The most bytes of one output that the session keeps. */
  maxOutputBytes: number;
  /** Path of a bash or sh. Default: the system's bash, else sh. */
  shell?: string;
  /** Default: none. */
  sandbox?: Sandbox;
  /** Milliseconds without output until whoever watches hears that the command still runs: 10,000. */
  quietMs?: number;
  /** Holds what runs, until nothing of it is left. */
  running?: Set<Promise<unknown>>;
}

export const MAX_TIMEOUT_SECONDS = 3600;

/** From TERM to KILL. */
const GRACE_MS = 1000;
/** What a process may take beyond its limit until its result is there. */
const SETTLING_MS = 4000;
const PROGRESS_MS = 500;
const QUIET_MS = 10_000;

/**
 * Makes `run_command`. A command that ends by itself is a result whatever its exit code: a failing test is what the
 * model wants to see. One that is stopped at its limit is a ToolError `timeout` with the output so far.
 */
export function createRunCommand(options: RunCommandOptions): Tool<RunCommandInput, CommandResult> {
  return defineTool({
    name: "run_command",
    description:
      "Run a bash command in the workspace, without input or terminal. Returns exit code, duration and output (stdout and stderr together, long ones cut in the middle). Background processes end with it.",
    input: z.object({
      command: z.string().refine((command) => command.trim() !== "", "expected a command"),
      workdir: z.string().min(1).default(".").describe("Folder"),
      timeout: z
        .number()
        .positive()
        .max(MAX_TIMEOUT_SECONDS)
        .default(options.timeoutSeconds)
        .describe("Seconds"),
    }),
    permission: "dangerous",
    category: "execution",
    tags: ["shell", "bash", "执行命令", "コマンド実行"],
    effects: ({ command, workdir }, ctx) => {
      const environment = commandEnvironment(process.env, options);
      const bash = path.basename(options.shell ?? findShell(environment.PATH)).startsWith("bash");
      return commandEffects(command, workdir, ctx, { environment, bash });
    },
    // The command's own limit acts first: it has the output to show.
    timeoutMs: ({ timeout }) => timeout * 1000 + GRACE_MS + SETTLING_MS,
    // A command writes what other calls read, and two builds or tests get in each other's way.
    concurrency: "exclusive",
    execute: (input, ctx) => {
      const run = runCommand(input, ctx, options);
      const { running } = options;
      running?.add(run);
      void run.then(
        () => running?.delete(run),
        () => running?.delete(run),
      );
      return run;
    },
    toModel: (result) => `[${describeEnd(result)}]\n${result.output === "" ? "(no output)" : result.output}`,
  });
}

async function runCommand(
  { command, workdir, timeout }: RunCommandInput,
  ctx: ToolContext,
  options: RunCommandOptions,
): Promise<CommandResult> {
  if (command.includes("\0")) throw new ToolError("invalid_command", "a command cannot hold a NUL character");
  const cwd = checkFolder(workdir, ctx);
  const output = new Output({ ctx, name: `${ctx.callId}-output.txt`, maxBytes: options.maxOutputBytes });
  const enclosure = enclose(options.sandbox ?? withoutSandbox, cwd, ctx);
  const progress = new CommandProgress((line) => ctx.progress(line), {
    everyMs: PROGRESS_MS,
    quietMs: options.quietMs ?? QUIET_MS,
  });
  const source = enclosure === undefined ? process.env : sandboxSource(process.env);
  const env: Record<string, string> = { ...commandEnvironment(source, options), PWD: cwd };
  let violations: readonly string[] = [];
  let end: ProcessEnd;
  try {
    end = await runProcess({
      shell: options.shell ?? findShell(env.PATH),
      command,
      enclosure,
      cwd,
      env,
      id: randomUUID(),
      limitMs: timeout * 1000,
      graceMs: GRACE_MS,
      signal: ctx.signal,
      onOutput: async (chunk) => {
        await output.write(chunk);
        progress.output(output.lastLine);
      },
    });
  } catch (error) {
    if (!(error instanceof EnclosureError)) throw error;
    throw new ToolError("sandbox_unavailable", `the sandbox could not be made: ${error.message}`);
  } finally {
    progress.end();
    violations = enclosure?.finish() ?? [];
  }
  const { text, file } = await output.end();
  const told = [text, ...violations.map((one) => `[sandbox: ${one}]`)].filter((one) => one !== "").join("\n");
  if (end.stopped !== undefined) throw stoppedError(end, timeout, told);
  return {
    exitCode: end.exitCode,
    signal: end.signal,
    durationMs: Math.round(end.durationMs),
    output: told,
    ...(file === undefined ? {} : { outputFile: file }),
    ...(enclosure === undefined ? {} : { sandbox: true }),
    ...(violations.length === 0 ? {} : { violations }),
  };
}

function checkFolder(workdir: string, ctx: ToolContext): string {
  const { real, display } = ctx.resolve(workdir);
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new ToolError("not_found", `the workdir ${display} does not exist`, {
      hint: "workdir is relative to the workspace's folder",
    });
  }
  if (!stats.isDirectory()) throw new ToolError("not_a_folder", `the workdir ${display} is not a folder`);
  return real;
}

function stoppedError({ stopped }: ProcessEnd, timeout: number, output: string): ToolError {
  if (stopped === "cancelled")
    return new ToolError("cancelled", "the command was stopped before it finished");
  const shown = output === "" ? "It had no output." : `Its output until then:\n${output}`;
  return new ToolError("timeout", `the command was stopped at its limit of ${timeout} s. ${shown}`, {
    hint: `if it only needs longer, give a larger timeout (up to ${MAX_TIMEOUT_SECONDS} s); nothing can answer its questions`,
  });
}

function describeEnd({ exitCode, signal, durationMs, sandbox }: CommandResult): string {
  const duration = `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 0)} s${sandbox === true ? " · sandbox" : ""}`;
  if (signal !== null) return `ended by ${signal} · ${duration}`;
  // A shell reports a signal that ended its last command as 128 and its number.
  const inner = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number)?.[0];
  return `exit ${exitCode}${inner === undefined ? "" : ` (128 + ${inner})`} · ${duration}`;
}
