import {
  ChangeLog,
  type EventBody,
  pruneHourly,
  RETENTION,
  type RunResult,
  runAgent,
  stamp,
  stateFolder,
} from "@toycoder/agent";
import type { Command } from "../command.ts";
import type { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { givenTask, readTask } from "../read-task.ts";
import { createRenderer, OUTPUTS } from "../render/create-renderer.ts";
import type { Renderer } from "../render/renderer.ts";
import type { TextOptions } from "../render/text.ts";
import { openCassette } from "../run/cassette-file.ts";
import { chooseModel } from "../run/choose-model.ts";
import { failedResult, withDefect } from "../run/failed-result.ts";
import { readImages } from "../run/image-files.ts";
import { LIMIT_FLAGS, limitsOf } from "../run/limits-of.ts";
import type { LogFile } from "../run/log-file.ts";
import { followRun } from "../run/follow-run.ts";
import { instructionsOf } from "../run/instructions.ts";
import type { Notices } from "../run/notices.ts";
import { chooseOutputSchema } from "../run/output-schema.ts";
import { openResult } from "../run/result-file.ts";
import { newRun, resumeRun } from "../run/run-session.ts";
import { openPatch, type PatchFile } from "../run/patch-file.ts";
import { toolAliases } from "../register-plugins.ts";
import { SETUP_FLAGS, type SetUp, setUp, statusOf } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";

export const run: Command = {
  usage: "[task]",
  summary: "does a task without a person there",
  details: `The task is the words of the command line, else --file, else stdin; with --resume, stdin is left alone.
Exit codes: 0 completed, 2 wrong use, 3 config, 4 provider, 5 not by the schema, 6 a rule is lacking, 7 limit, 130/143 stopped.
Example: toycoder run "fix the failing test" --allow 'write_file(src/**)' --allow 'edit_file(src/**)'`,
  flags: {
    file: { value: "FILE", help: "read the task from a file" },
    model: {
      value: "MODEL",
      help: "auto, or PROVIDER:NAME (anthropic, openai, openai-chat, openai-compatible, replay)",
    },
    "base-url": { value: "URL", help: "the model's server" },
    output: { value: "FORMAT", choices: OUTPUTS, help: "what goes to stdout (default: text)" },
    ...LIMIT_FLAGS,
    "no-instructions": { help: "leave the workspace's AGENTS.md out" },
    patch: { value: "FILE", help: "write the run's net changes as a git patch, for git apply" },
    result: { value: "FILE", help: "write the result object, whatever goes to stdout" },
    resume: { value: "ID", help: "go on in a session; last: the newest of the workspace" },
    fork: { help: "with --resume: go on in a copy, and leave the session as it is" },
    record: { value: "FILE", help: "write the model's turns as a cassette, for --model replay:FILE" },
    "output-schema": { value: "FILE", help: "a JSON Schema that the final answer must fit" },
    image: { value: "FILE", many: true, help: "show the model an image: PNG, JPEG, GIF or WebP" },
    log: { value: "FILE", help: "append what goes over the wire and how long it takes, without secrets" },
    quiet: { help: "with text: show the answer and errors alone" },
    verbose: { help: "with text: show the first lines of results, usage and reasoning, too" },
    "replay-loose": { help: "tell where the run departs from its cassette, and go on" },
    ...SETUP_FLAGS,
  },
  async run(flags, io) {
    const file = flags.get("log");
    const log = file === undefined ? undefined : (await import("../run/log-file.ts")).openLog(file, io);
    const shown = createRenderer(flags.get("output") ?? "text", io, detailOf(flags));
    const renderer = log?.around(shown) ?? shown;
    try {
      const kept = openResult(flags.get("result"), io);
      const ended = await outcome(flags, io, renderer, log);
      const result = kept?.complete(ended) ?? ended;
      renderer.result(result);
      return result.exitCode;
    } finally {
      log?.close();
    }
  },
};

/** How much of a run is told. Throws a UsageError where both are asked for. */
function detailOf(flags: ParsedFlags): TextOptions {
  if (!flags.has("quiet")) return flags.has("verbose") ? { detail: "verbose" } : {};
  if (flags.has("verbose")) throw new UsageError("give --quiet or --verbose, not both");
  return { detail: "quiet" };
}

/** Runs the task. Rejects for wrong use of the command alone: every other end is a result. */
async function outcome(
  flags: ParsedFlags,
  io: Io,
  renderer: Renderer,
  log: LogFile | undefined,
): Promise<RunResult> {
  let ready: SetUp | undefined;
  let patch: PatchFile | undefined;
  try {
    const task = flags.has("resume") ? await givenTask(flags, io) : await readTask(flags, io);
    patch = openPatch(flags.get("patch"), io);
    ready = await setUp(flags, io);
    log?.ready(ready);
    return await runTask(task, ready, flags, io, renderer, patch, log);
  } catch (error) {
    if (error instanceof UsageError && !io.signal.aborted) throw error;
    return failedResult(error, io);
  } finally {
    patch?.close();
    await ready?.dispose();
  }
}

async function runTask(
  task: string | undefined,
  ready: SetUp,
  flags: ParsedFlags,
  io: Io,
  renderer: Renderer,
  patch?: PatchFile,
  log?: LogFile,
): Promise<RunResult> {
  const stop = new AbortController();
  const notices: Notices = { tell: () => {} };
  const output = await chooseOutputSchema(flags.get("output-schema"), ready.loaded, io);
  const images = await readImages(flags.all("image"), io);
  const resumed = resumeRun(task, ready.workspace.root, flags, io);
  const model = await chooseModel(ready, flags, io, notices, log).catch((error: unknown) => {
    resumed?.folder.close();
    throw error;
  });
  const cassette = openCassette(flags.get("record"), ready, io);
  const { folder, opening, ...conversation } = resumed ?? newRun(task, io);
  const changes = new ChangeLog(folder.folder);
  const { id, spillFolder } = folder;
  const session = ready.openSession({ id, spillFolder, onChange: (change) => changes.record(change) });
  const tell = (body: EventBody): void => {
    const event = stamp(body);
    folder.append(event);
    renderer.event(event);
  };
  notices.tell = (code, message) => tell({ type: "notice", code, message });
  const { instructions, notes } = instructionsOf(ready, flags, io);
  const finish = (told: RunResult): RunResult => {
    const result = withDefect(told, io);
    return patch?.complete(result, () => changes.patch(session.workspace.root), notices) ?? result;
  };
  try {
    const events = runAgent({
      model: cassette === undefined ? model : await cassette.around(model),
      session,
      ...conversation,
      ...(images.length > 0 && { task: [...images, ...(conversation.task ?? [])] }),
      ...(output && { output }),
      instructions,
      signal: AbortSignal.any([io.signal, stop.signal]),
      changes,
      limits: limitsOf(ready, flags),
      maxVisible: ready.loaded.config.tools.maxVisible,
      alias: toolAliases(ready.loaded.config.tools.alias),
    });
    return await followRun(events, stop, (sent) => {
      const event = sent.type === "result" ? { ...sent, result: finish(sent.result) } : sent;
      folder.append(event);
      renderer.event(event);
      if (event.type === "session_start") {
        for (const [name, state] of Object.entries(statusOf(ready)))
          notices.tell("status", `${name}: ${state}`);
        for (const body of opening) tell(body);
        for (const note of notes) notices.tell("instructions", note);
      }
      return event;
    });
  } finally {
    session.dispose();
    folder.close();
    cassette?.close();
    pruneHourly(stateFolder(io.env), { ...RETENTION, ...ready.loaded.config.sessions }, folder.id);
  }
}
