import type { AssistantPart, ContentPart, Message, ToolCall } from "@toycoder/core";
import { clip } from "./clip.ts";
import { textTokens } from "./token-estimate.ts";

/** Characters of a result and of a call's arguments, from generous to what must do. */
const LIMITS = [2000, 500, 100];

/**
 * A conversation as plain text, at most about `maxTokens`: roles marked, long results and arguments cut, images
 * named. Where that isn't enough, the middle is left out.
 */
export function transcript(messages: readonly Message[], maxTokens: number): string {
  let whole = "";
  for (const limit of LIMITS) {
    whole = messages.map((message) => describe(message, limit)).join("\n\n");
    if (textTokens(whole) <= maxTokens) return whole;
  }
  const share = maxTokens / textTokens(whole);
  const [head, tail] = [Math.floor((whole.length * share) / 4), Math.floor((whole.length * share * 3) / 4)];
  const mark = `[… ${whole.length - head - tail} characters left out …]`;
  return `${whole.slice(0, head)}\n\n${mark}\n\n${whole.slice(whole.length - tail)}`.toWellFormed();
}

function describe(message: Message, limit: number): string {
  switch (message.role) {
    case "user":
      return `## User\n${contentText(message.content)}`;
    case "assistant":
      return `## Assistant\n${message.content.flatMap((part) => assistantText(part, limit)).join("\n")}`;
    default:
      return message.results
        .map(({ name, ok, code, content }) => {
          const outcome = ok ? "ok" : `failed: ${code ?? "error"}`;
          return `## Result of ${name} (${outcome})\n${clip(contentText(content), limit)}`;
        })
        .join("\n\n");
  }
}

function assistantText(part: AssistantPart, limit: number): string[] {
  if (part.type === "text") return [part.text];
  return part.type === "tool_call" ? [`[calls ${part.name} ${clip(argumentsText(part), limit)}]`] : [];
}

/** The arguments of a call as JSON. */
export const argumentsText = ({ arguments: args }: ToolCall): string =>
  typeof args === "string" ? args : JSON.stringify(args);

export const contentText = (content: readonly ContentPart[]): string =>
  content.map((part) => (part.type === "text" ? part.text : `[image, ${part.mediaType}]`)).join("\n");
