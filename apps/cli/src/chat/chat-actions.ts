import type { Model } from "@toycoder/core";
import type { Conversation } from "./conversation.ts";

/** What a command can do in a chat. */
export interface ChatActions {
  readonly conversation: Conversation;
  readonly model: Model;
  /** Writes lines. They hold no control characters. */
  say(text: string): void;
  /** Throws a UsageError or a SetupError for a name that stands for no model. */
  chooseModel(name: string): Promise<void>;
  /** Begins a new session. */
  renew(): void;
  leave(exitCode?: number): void;
}
