import type { AgentEvent, SessionSummary } from "@toycoder/agent";
import { type ContentPart, textOf } from "@toycoder/core";
import { painter } from "./paint.ts";
import { plainValue } from "./plain-text.ts";
import { localTime, sizeText } from "./session-rows.ts";
import { textRenderer } from "./text.ts";

/** Prints a session as a conversation: what the person said, what the model said and did, how each run ended. */
export function showSession(
  { id, status, turns, bytes, changedFiles }: SessionSummary,
  events: readonly AgentEvent[],
  stdout: NodeJS.WriteStream,
): void {
  const paint = painter(stdout);
  const renderer = textRenderer(stdout, stdout);
  const say = (line: string): void => void stdout.write(`${line}\n`);
  say(
    paint.bold(
      `session ${id}: ${status}, ${turns} turns, ${changedFiles.length} changed files, ${sizeText(bytes)}`,
    ),
  );
  for (const given of events) {
    const event = plainValue(given);
    switch (event.type) {
      case "session_start":
        say(`\n${paint.dim(localTime(event.at))}`);
        renderer.event(event);
        break;
      case "user":
        if (event.parent === undefined) say(paint.bold(quote(event.content)));
        break;
      case "text":
        if (event.parent === undefined) say(event.text.trim());
        break;
      case "change":
        if (event.by !== undefined) say(paint.yellow(`  ${event.by}: ${event.path} ${event.kind}`));
        break;
      case "result":
        // The answer was shown when it came.
        renderer.result({ ...event.result, text: "" });
        break;
      default:
        renderer.event(event);
    }
  }
}

function quote(content: readonly ContentPart[]): string {
  const images = content.filter(({ type }) => type === "image").length;
  const shown = images === 0 ? "" : ` [${images} image${images === 1 ? "" : "s"}]`;
  return `${textOf(content)}${shown}`.replaceAll(/^/gm, "> ");
}
