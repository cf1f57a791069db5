import {
  ChangeLog,
  emptyResult,
  newSessionId,
  type RunResult,
  runAgent,
  SessionFolder,
  stamp,
  stateFolder,
  systemPrompt,
} from "@toycoder/agent";
import type { Command } from "../command.ts";
import { tellError } from "../exit-code.ts";
import type { ParsedFlags } from "../flags.ts";
import { CLOSED_STDOUT, type Io } from "../io.ts";
import { readTask } from "../read-task.ts";
import { createRenderer, OUTPUTS } from "../render/create-renderer.ts";
import type { Renderer } from "../render/renderer.ts";
import { openCassette } from "../run/cassette-file.ts";
import { chooseModel } from "../run/choose-model.ts";
import type { Notices } from "../run/notices.ts";
import { openPatch, type PatchFile } from "../run/patch-file.ts";
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
  const stop = new AbortController();
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
      signal: AbortSignal.any([io.signal, stop.signal]),
      changes,
      ...(maxTurns !== undefined && { limits: { turns: maxTurns } }),
    });
    let result: RunResult | undefined;
    let failure: { error: unknown } | undefined;
    for await (const sent of events) {
      try {
        if (failure !== undefined) continue;
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
      } catch (error) {
        // What cannot be kept ends the run; its tools are stopped before that is told.
        failure = { error };
        stop.abort(error);
      }
    }
    if (failure !== undefined) throw failure.error;
    if (result === undefined) throw new Error("the agent ended without a result");
    return result;
  } finally {
    session.dispose();
    folder.close();
    cassette?.close();
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
