import { pruneHourly, RETENTION, stateFolder } from "@toycoder/agent";
import { askPerson } from "../chat/ask-person.ts";
import { Chat } from "../chat/chat.ts";
import { chatRenderer } from "../chat/chat-renderer.ts";
import { Conversation, type ConversationParts } from "../chat/conversation.ts";
import { InputHistory } from "../chat/input-history.ts";
import { LineEditor } from "../chat/line-editor.ts";
import { greeting } from "../chat/greeting.ts";
import type { Command } from "../command.ts";
import { ParsedFlags } from "../flags.ts";
import type { Io } from "../io.ts";
import { isScreen } from "../render/live-lines.ts";
import { Screen } from "../render/screen.ts";
import { chooseModel } from "../run/choose-model.ts";
import { instructionsOf } from "../run/instructions.ts";
import { LIMIT_FLAGS, limitsOf } from "../run/limits-of.ts";
import { knownSession } from "../run/run-session.ts";
import { SETUP_FLAGS, type SetUp, setUp, statusOf } from "../set-up.ts";
import { UsageError } from "../usage-error.ts";

export const chat: Command = {
  usage: "[task]",
  summary: "talks with you at a terminal: asks before it acts, and goes on from task to task",
  details: `/help in the chat lists its commands. Ctrl-C stops a turn, Ctrl-D leaves; a \\ at a line's end goes on in the next.
Limits hold for each task; the minutes run on while a question waits.
Exit codes: 0 left by /exit or Ctrl-D, 130 by Ctrl-C twice, 2 wrong use or no terminal, 3 config, 4 provider.
Examples:
  toycoder chat
  toycoder chat "why does the build fail?" --enable run_command
  toycoder chat --resume last`,
  flags: {
    model: { value: "MODEL", help: "auto, or PROVIDER:NAME, as for run; /model changes it" },
    "base-url": { value: "URL", help: "the model's server" },
    resume: { value: "ID", help: "go on in a session; last: the newest of the workspace" },
    ...LIMIT_FLAGS,
    "no-instructions": { help: "leave the workspace's AGENTS.md out" },
    verbose: { help: "show the first lines of results, usage and reasoning, too" },
    ...SETUP_FLAGS,
  },
  async run(flags, io) {
    if (!io.stdin.isTTY || !isScreen(io.stdout)) {
      const lacking = io.stdin.isTTY && io.stdout.isTTY ? " that can move its cursor (TERM is dumb)" : "";
      throw new UsageError(
        `chat needs a terminal${lacking} for its input and its output`,
        'without one: toycoder run "what is to be done"',
      );
    }
    // The terminal was closed: what runs is stopped as by SIGTERM.
    const hangUp = (): void => void process.kill(process.pid, "SIGTERM");
    process.on("SIGHUP", hangUp);
    const ready = await setUp(flags, io);
    try {
      return await chatWith(ready, flags, io);
    } finally {
      await ready.dispose();
      process.off("SIGHUP", hangUp);
    }
  },
};

async function chatWith(ready: SetUp, flags: ParsedFlags, io: Io): Promise<number> {
  const state = stateFolder(io.env);
  const screen = new Screen(io.stdout);
  const notices = {
    tell: (_: string, message: string) => screen.say(screen.paint.yellow(`! ${message}`), "  "),
  };
  const model = await chooseModel(ready, flags, io, notices);
  const { instructions, notes } = instructionsOf(ready, flags, io, true);
  const given = flags.get("resume");
  const found = given === undefined ? undefined : knownSession(given, ready.workspace.root, state);

  const shown = new Set<string>();
  const partsFor = ({ lend, interrupt }: Pick<Chat, "lend" | "interrupt">): ConversationParts => ({
    ready,
    state,
    instructions,
    notices: notes.map((message) => ({ type: "notice", code: "instructions", message })),
    limits: limitsOf(ready, flags),
    ask: (session) => askPerson({ io, screen, lend, interrupt, yes: flags.has("yes"), shown }, session),
  });
  const own = new Chat({
    io,
    screen,
    editor: new LineEditor(io, new InputHistory(state)),
    renderer: chatRenderer(io.stdout, screen, { shown, ...(flags.has("verbose") && { detail: "verbose" }) }),
    model,
    createModel: (name) => chooseModel(ready, withModel(flags, name), io, notices),
    open: (asking) => new Conversation(partsFor(asking), found),
    reopen: (asking) => new Conversation(partsFor(asking)),
  });
  try {
    for (const line of greeting(own, ready, statusOf(ready))) screen.say(line);
    const task = flags.words.join(" ").trim();
    return await own.talk(task === "" ? undefined : task);
  } finally {
    own.close();
    pruneHourly(state, { ...RETENTION, ...ready.loaded.config.sessions }, own.conversation.id);
  }
}

/** The server of `--base-url` is one of the provider that was named beside it. */
function withModel(flags: ParsedFlags, name: string): ParsedFlags {
  const url = flags.get("base-url");
  const providerOf = (one: string | undefined): string | undefined => one?.split(":", 1)[0];
  const same = url !== undefined && providerOf(name) === providerOf(flags.get("model"));
  return new ParsedFlags([], new Map([["model", [name]], ...(same ? [["base-url", [url]] as const] : [])]));
}
