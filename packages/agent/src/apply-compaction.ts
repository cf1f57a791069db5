import { type ContentPart, type Message, text, type ToolResultPart } from "@toycoder/core";
import { clip } from "./clip.ts";

/** What a compaction takes out of a conversation, and what it puts there instead. */
export interface CompactionChange {
  /** How many messages go, from the beginning on, the first message of the user not counted: it stays. */
  dropped: number;
  /** What stands for them; nothing where none goes. */
  summary: string;
  /** Where given, results longer than that are cut, and their images only named. */
  resultChars?: number;
}

/**
 * The conversation after a compaction: the first user message, the summary, and the last turns as they were. A run
 * and the session that is resumed from its events come to the same messages.
 */
export function applyCompaction(
  messages: readonly Message[],
  { dropped, summary, resultChars }: CompactionChange,
): Message[] {
  const { first, rest } = split(messages);
  const kept = rest.slice(dropped);
  return [
    ...first,
    ...(dropped > 0 ? [summaryMessage(summary)] : []),
    ...(resultChars === undefined ? kept : kept.map((message) => cutResults(message, resultChars))),
  ];
}

/** The messages that a compaction takes out. */
export const droppedMessages = (messages: readonly Message[], dropped: number): Message[] =>
  split(messages).rest.slice(0, dropped);

/**
 * How many messages go where the last `turns` answers stay, with their results and with what the user said right
 * before them. None where that would take out no answer.
 */
export function countDropped(messages: readonly Message[], turns: number): number {
  const { rest } = split(messages);
  let cut = rest.length;
  for (let left = turns; left > 0; left--) {
    cut = rest.findLastIndex(({ role }, at) => role === "assistant" && at < cut);
    if (cut === -1) return 0;
  }
  while (rest[cut - 1]?.role === "user") cut--;
  return rest.slice(0, cut).some(({ role }) => role === "assistant") ? cut : 0;
}

function split(messages: readonly Message[]): { first: Message[]; rest: Message[] } {
  const at = messages.findIndex(({ role }) => role === "user");
  return {
    first: messages.slice(at, at + 1),
    rest: messages.filter((_, index) => index !== at),
  };
}

const summaryMessage = (summary: string): Message => ({
  role: "user",
  content: [
    text(`[The conversation was shortened. This is what went on until here, in a summary:]\n\n${summary}`),
  ],
});

function cutResults(message: Message, limit: number): Message {
  if (message.role !== "tool") return message;
  return { role: "tool", results: message.results.map((result) => cutResult(result, limit)) };
}

const cutResult = (result: ToolResultPart, limit: number): ToolResultPart => ({
  ...result,
  content: result.content.map((part): ContentPart => {
    if (part.type === "image") return text(`[an image, ${part.mediaType}, left out]`);
    return part.text.length <= limit ? part : text(clip(part.text, limit));
  }),
});
