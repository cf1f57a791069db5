import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import {
  ChangeLog,
  emptyResult,
  newSessionId,
  type Patch,
  type RunResult,
  runAgent,
  SessionFolder,
  stamp,
  stateFolder,
  systemPrompt,
} from "@toycoder/agent";
import { isSetupError, messageOf, type Model, SetupError } from "@toycoder/core";
import type { SkippedTool } from "@toycoder/core/wire";
import type { Command } from "../command.ts";
import { tellError } from "../exit-code.ts";
import type { ParsedFlags } from "../flags.ts";
import { CLOSED_STDOUT, type Io } from "../io.ts";
import { createModel } from "../models.ts";
import { readTask } from "../read-task.ts";
import { createRenderer, OUTPUTS } from "../render/create-renderer.ts";
import type { Renderer } from "../render/renderer.ts";
import { SETUP_FLAGS, type SetUp, setUp, statusOf } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";

export const run: Command = {
  usage: "[task]",
  summary: "does a task without a person there",
  details: `The task is the words of the command line, else --file, else stdin.
Exit codes: 0 completed, 2 wrong use, 3 config, 4 provider, 6 a rule is lacking, 7 limit, 130/143 stopped.
Example: toycoder run "fix the failing test" --allow 'write_file(src/**)' --allow 'edit_file(src/**)'`,
  flags: {
    file: { value: "FILE", help: "read the task from a file" },
    model: {
      value: "MODEL",
      help: "auto, or PROVIDER:NAME (anthropic, openai, openai-chat, openai-compatible, replay)",
    },
    "base-url": { value: "URL", help: "the model's server" },
    output: { value: "FORMAT", choices: OUTPUTS, help: "what goes to stdout (default: text)" },
    "max-turns": { value: "N", count: true, help: "the most turns (default: the config's, else 50)" },
    patch: { value: "FILE", help: "write the run's net changes as a git patch, for git apply" },
    record: { value: "FILE", help: "write the model's turns as a cassette, for --model replay:FILE" },
    ...SETUP_FLAGS,
  },
  async run(flags, io) {
    const task = await readTask(flags, io);
    const renderer = createRenderer(flags.get("output") ?? "text", io);
    const result = await outcome(task, flags, io, renderer);
    if (io.signal.aborted && result.exitCode === CLOSED_STDOUT) return CLOSED_STDOUT;
    renderer.result(result);
    return result.exitCode;
  },
};

/** Runs the task. Rejects for wrong use of the command alone: every other end is a result. */
async function outcome(task: string, flags: ParsedFlags, io: Io, renderer: Renderer): Promise<RunResult> {
  let ready: SetUp | undefined;
  let patch: PatchFile | undefined;
  try {
    patch = openPatch(flags.get("patch"), io);
    ready = await setUp(flags, io);
    return await runTask(task, ready, flags, io, renderer, patch);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { exitCode, code, message, hint } = tellError(io.signal.aborted ? io.signal.reason : error);
    const status = STATUS_OF_EXIT[exitCode] ?? (io.signal.aborted ? "cancelled" : "internal_error");
    const told = { code, message, ...(hint !== undefined && { hint }) };
    return { ...emptyResult(status, told), exitCode };
  } finally {
    patch?.close();
    await ready?.dispose();
  }
}

const STATUS_OF_EXIT: Readonly<Record<number, RunResult["status"]>> = {
  3: "config_error",
  4: "provider_error",
};

async function runTask(
  task: string,
  ready: SetUp,
  flags: ParsedFlags,
  io: Io,
  renderer: Renderer,
  patch?: PatchFile,
): Promise<RunResult> {
  const notices: Notices = { tell: () => {} };
  const model = await chooseModel(ready, flags, io, notices);
  const cassette = openCassette(flags.get("record"), io);
  const folder = SessionFolder.create(stateFolder(io.env), newSessionId());
  const changes = new ChangeLog(folder.folder);
  const { id, spillFolder } = folder;
  const session = ready.openSession({ id, spillFolder, onChange: (change) => changes.record(change) });
  notices.tell = (code, message) => {
    const event = stamp({ type: "notice", code, message });
    folder.append(event);
    renderer.event(event);
  };
  try {
    const maxTurns = flags.count("max-turns") ?? ready.loaded.config.limits.turns;
    const events = runAgent({
      model: cassette === undefined ? model : await cassette.around(model),
      session,
      task,
      instructions: instructionsOf(ready),
      signal: io.signal,
      changes,
      ...(maxTurns !== undefined && { limits: { turns: maxTurns } }),
    });
    let result: RunResult | undefined;
    for await (const sent of events) {
      const event =
        sent.type === "result" && patch !== undefined
          ? {
              ...sent,
              result: patch.complete(sent.result, () => changes.patch(session.workspace.root), notices),
            }
          : sent;
      folder.append(event);
      renderer.event(event);
      if (event.type === "session_start") {
        for (const [name, state] of Object.entries(statusOf(ready)))
          notices.tell("status", `${name}: ${state}`);
      }
      if (event.type === "result") result = event.result;
    }
    if (result === undefined) throw new Error("the agent ended without a result");
    return result;
  } finally {
    session.dispose();
    folder.close();
    cassette?.close();
  }
}

/** Where the model's notices go, once the session is open. */
interface Notices {
  tell: (code: string, message: string) => void;
}

async function chooseModel(
  { loaded, workspace }: SetUp,
  flags: ParsedFlags,
  io: Io,
  notices: Notices,
): Promise<Model> {
  const told = new Set<string>();
  const onSkipped = (skipped: readonly SkippedTool[]): void => {
    for (const { name, error } of skipped) {
      if (told.has(name)) continue;
      told.add(name);
      notices.tell("tool_skipped", `the tool ${name} is not offered to the model: ${error.message}`);
    }
  };
  const given = flags.get("model");
  const folder = given === undefined ? loaded.folder : io.cwd;
  try {
    const choice = given ?? loaded.config.model;
    return await createModel(choice, flags.get("base-url"), {
      env: io.env,
      folder: folder || workspace.root,
      onSkipped,
    });
  } catch (error) {
    if (given === undefined || !isSetupError(error) || error.code !== "invalid_model") throw error;
    throw new UsageError(`--model: ${error.message}`, error.hint);
  }
}

function instructionsOf({ loaded, workspace, plugins }: SetUp): string {
  return systemPrompt({
    workspace: workspace.root,
    date: new Date().toISOString().slice(0, 10),
    platform: process.platform,
    attended: false,
    instructions: [loaded.config.instructions, ...plugins.map(({ parts }) => parts.instructions ?? "")],
  });
}

interface PatchFile {
  /** Writes the patch; a result that says "completed" says no longer so where that fails. */
  complete(result: RunResult, make: () => Patch, notices: Notices): RunResult;
  close(): void;
}

/** Empties the file at once, so that no older patch is taken for this run's. Throws a UsageError. */
function openPatch(file: string | undefined, io: Io): PatchFile | undefined {
  if (file === undefined) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path.resolve(io.cwd, file), "w");
  } catch (error) {
    throw new UsageError(`--patch: ${messageOf(error)}`);
  }
  return {
    complete(result, make, notices) {
      try {
        const { bytes, leftOut } = make();
        writeFileSync(descriptor, bytes);
        if (leftOut.length === 0) return result;
        const names = leftOut.join(", ");
        notices.tell("patch_incomplete", `--patch: outside of the workspace, so not in the patch: ${names}`);
        return result;
      } catch (error) {
        const message = `--patch: ${messageOf(error)}`;
        notices.tell("patch_failed", message);
        if (result.exitCode !== 0) return result;
        return { ...result, status: "internal_error", exitCode: 1, error: { code: "patch_failed", message } };
      }
    },
    close: () => closeSync(descriptor),
  };
}

interface Cassette {
  around(model: Model): Promise<Model>;
  close(): void;
}

/** Throws a SetupError `cassette_invalid` where the file can't be written. */
function openCassette(file: string | undefined, io: Io): Cassette | undefined {
  if (file === undefined) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path.resolve(io.cwd, file), "w");
  } catch (error) {
    throw new SetupError("cassette_invalid", `--record: ${messageOf(error)}`);
  }
  return {
    async around(model) {
      const { recordModel } = await import("@toycoder/provider-replay");
      return recordModel(model, (line) => void writeSync(descriptor, `${line}\n`));
    },
    close: () => closeSync(descriptor),
  };
}
