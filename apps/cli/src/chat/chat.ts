import type { Model } from "@toycoder/core";
import { tellError } from "../exit-code.ts";
import type { Io } from "../io.ts";
import type { Renderer } from "../render/renderer.ts";
import type { Screen } from "../render/screen.ts";
import { failedResult } from "../run/failed-result.ts";
import type { ChatActions } from "./chat-actions.ts";
import { CHAT_COMMANDS } from "./chat-commands.ts";
import type { Conversation } from "./conversation.ts";
import type { LineEditor } from "./line-editor.ts";
import { parseSlash } from "./slash-commands.ts";
import { type TurnKeys, turnKeys } from "./turn-keys.ts";

export interface ChatParts {
  io: Io;
  screen: Screen;
  editor: LineEditor;
  renderer: Renderer;
  model: Model;
  createModel: (name: string) => Promise<Model>;
  /** Opens a session; its questions come back through `lend` and `interrupt`. */
  open: (chat: Pick<Chat, "lend" | "interrupt">) => Conversation;
  /** Opens the next one. */
  reopen: (chat: Pick<Chat, "lend" | "interrupt">) => Conversation;
}

/** The code of a chat that was left by Ctrl-C. */
const INTERRUPTED = 130;

/** A person and a model at one terminal, task by task. */
export class Chat implements ChatActions {
  readonly #parts: ChatParts;
  #conversation: Conversation;
  #model: Model;
  #exitCode: number | undefined;
  /** The turn that runs. */
  #turn: { keys: TurnKeys; stop: AbortController } | undefined;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.#model = parts.model;
    this.#conversation = parts.open(this);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get model(): Model {
    return this.#model;
  }

  /** Talks until the person leaves; resolves to the exit code. */
  async talk(first?: string): Promise<number> {
    const { io, editor, screen } = this.#parts;
    if (first !== undefined) await this.#do(first);
    let interrupted = false;
    while (this.#exitCode === undefined && !io.signal.aborted) {
      screen.say("");
      const entry = await editor.read(screen.paint.bold("> "));
      if (entry.kind === "text") await this.#take(entry.text);
      else io.stdout.write("\n");
      if (entry.kind === "end") this.leave();
      if (entry.kind === "interrupt" && entry.empty) {
        if (interrupted) this.leave(INTERRUPTED);
        else this.say("Ctrl-C again leaves, and so does Ctrl-D");
      }
      interrupted = entry.kind === "interrupt" && entry.empty;
    }
    io.signal.throwIfAborted();
    return this.#exitCode ?? 0;
  }

  say = (text: string): void => this.#parts.screen.say(text, "  ");

  leave(exitCode = 0): void {
    this.#exitCode ??= exitCode;
  }

  /** Begins a new session. */
  renew(): void {
    this.#conversation.close();
    this.#conversation = this.#parts.reopen(this);
    this.say(`a new session: ${this.#conversation.id}`);
  }

  async chooseModel(name: string): Promise<void> {
    this.#model = await this.#parts.createModel(name);
  }

  /** Leaves the keyboard to a question. */
  lend = <T>(act: () => Promise<T>): Promise<T> =>
    this.#turn === undefined ? act() : this.#turn.keys.lend(act);

  /** Ctrl-C in a turn: the first stops it, a second one leaves once it has stopped. */
  interrupt = (): void => {
    const { stop } = this.#turn ?? {};
    if (stop?.signal.aborted === true) this.leave(INTERRUPTED);
    else stop?.abort();
  };

  close(): void {
    this.#conversation.close();
  }

  async #take(line: string): Promise<void> {
    try {
      const slash = parseSlash(line, CHAT_COMMANDS);
      if (slash === undefined) await this.#do(line);
      else await slash.command.act(this, slash.rest);
    } catch (error) {
      const { exitCode, message, hint } = tellError(error);
      if (exitCode === 1 || this.#parts.io.signal.aborted) throw error;
      const { paint } = this.#parts.screen;
      this.say(`${paint.red(message)}${hint === undefined ? "" : `\n${hint}`}`);
    }
  }

  /** Has a task done. */
  async #do(task: string): Promise<void> {
    const { io, renderer } = this.#parts;
    const stop = new AbortController();
    this.#turn = { stop, keys: turnKeys(io.stdin, this.interrupt) };
    try {
      const signal = AbortSignal.any([io.signal, stop.signal]);
      renderer.result(await this.#conversation.run(task, this.#model, signal, renderer));
    } catch (error) {
      const result = failedResult(error, io);
      renderer.result(result);
      if (result.exitCode === 1) throw error;
    } finally {
      this.#turn.keys.close();
      this.#turn = undefined;
    }
  }
}
