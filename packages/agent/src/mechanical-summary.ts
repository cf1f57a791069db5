import type { Message } from "@toycoder/core";
import { clip, clipTokens } from "./clip.ts";
import { textTokens } from "./token-estimate.ts";
import { argumentsText, contentText } from "./transcript.ts";

/**
 * A summary that takes no model: what the user said, the files that changed, and the calls with their outcomes, as
 * many of the last ones as fit into `maxTokens`.
 */
export function mechanicalSummary(
  messages: readonly Message[],
  changedFiles: readonly string[],
  maxTokens: number,
): string {
  const said = messages.flatMap((message) =>
    message.role === "user" ? [`The user said: ${clip(contentText(message.content), 1000)}`] : [],
  );
  const changed = changedFiles.length === 0 ? [] : [`Changed files: ${changedFiles.join(", ")}`];
  const head = clipTokens([...said, ...changed, "Calls so far:"].join("\n"), maxTokens / 2);
  const lines: string[] = [];
  let left = maxTokens - textTokens(head);
  for (const line of callLines(messages).toReversed()) {
    left -= textTokens(line) + 1;
    if (left < 0) break;
    lines.unshift(line);
  }
  return [head, ...lines].join("\n");
}

function callLines(messages: readonly Message[]): string[] {
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return message.content.flatMap((part) => {
      if (part.type !== "tool_call") return [];
      const result = results.find(({ callId }) => callId === part.id);
      const outcome = result === undefined ? "no result" : result.ok ? "ok" : (result.code ?? "failed");
      return [`- ${part.name} ${clip(argumentsText(part), 160)}: ${outcome}`];
    });
  });
}
