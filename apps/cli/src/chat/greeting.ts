import type { AgentEvent } from "@toycoder/agent";
import { textOf } from "@toycoder/core";
import { clipLines } from "../render/call-text.ts";
import { plainLine, plainText } from "../render/plain-text.ts";
import type { SetUp } from "../set-up.ts";
import type { Chat } from "./chat.ts";

/** The first lines of a chat: the model, the workspace, what plugins say is in force, and where a session stopped. */
export function greeting(
  { model, conversation }: Pick<Chat, "model" | "conversation">,
  { workspace }: SetUp,
  status: Readonly<Record<string, string>>,
): string[] {
  const { file, summary } = conversation;
  return [
    `${plainLine(model.id)} in ${plainLine(workspace.root)}, session ${conversation.id}`,
    ...Object.entries(status).map(([name, state]) => plainLine(`${name}: ${state}`)),
    "/help lists the commands; Ctrl-C stops a turn, Ctrl-D leaves",
    ...(summary === undefined
      ? []
      : [`goes on after ${summary.turns} turns`, ...lastWords(file?.events ?? [])]),
  ];
}

/** What was said last by both. */
function lastWords(events: readonly AgentEvent[]): string[] {
  const own = events.filter(({ parent }) => parent === undefined);
  const asked = own.findLast((event) => event.type === "user");
  const answered = own.findLast((event) => event.type === "text");
  return [
    ...(asked?.type === "user" ? [`> ${clipLines(plainText(textOf(asked.content)), 3)}`] : []),
    ...(answered?.type === "text" ? [clipLines(plainText(answered.text.trim()), 6)] : []),
  ];
}
