import type { RunResult } from "@toycoder/agent";
import { answerText } from "../render/answer-text.ts";
import { describeArguments } from "../render/call-text.ts";
import type { Paint } from "../render/paint.ts";
import type { Renderer } from "../render/renderer.ts";
import type { Screen } from "../render/screen.ts";
import { changeLines, countsText, errorLines } from "../render/summary.ts";
import { type TextOptions, textRenderer } from "../render/text.ts";
import { AnswerBlocks } from "./answer-blocks.ts";

/** A task of a chat: the model's words as they come, its calls, and at the end what it took. */
export function chatRenderer(
  stdout: NodeJS.WriteStream,
  screen: Screen,
  options: Pick<TextOptions, "detail" | "shown">,
): Renderer {
  const answer = answerText(stdout);
  const blocks = new AnswerBlocks();
  const say = (text: string): void => {
    if (text.trim() !== "") screen.say(`\n${answer.format(text.trim())}`);
  };
  const renderer = textRenderer(stdout, stdout, {
    screen,
    brief: true,
    summary: turnSummary,
    ...options,
  });
  return {
    event(event) {
      if (event.parent !== undefined) return renderer.event(event);
      if (event.type === "turn_start" || event.type === "retry") blocks.reset();
      if (event.type === "text_delta") say(blocks.add(event.text));
      if (event.type === "text") say(blocks.finish(event.text));
      else renderer.event(event);
    },
    // The text was shown when it came.
    result: (result) => renderer.result({ ...result, text: "" }),
  };
}

function turnSummary(result: RunResult, paint: Paint): string[] {
  const { status } = result;
  const head =
    status === "completed" || status === "denied" ? "" : status === "cancelled" ? "stopped, " : `${status}, `;
  return [
    "",
    ...(status === "cancelled" || status === "denied" ? [] : errorLines(result, paint)),
    ...changeLines(result, paint),
    ...refusals(result),
    paint.dim(`${head}${countsText(result)}`),
  ];
}

/** What no rule allowed, with the word that would; what the person or a rule refused is known to them. */
const refusals = ({ denials }: RunResult): string[] =>
  denials.flatMap(({ tool, arguments: args, code, suggestions }) => {
    if (code !== "approval_required" && code !== "tool_disabled") return [];
    const way =
      code === "tool_disabled" ? [`/tool enable ${tool}`] : suggestions.map((rule) => `/approve ${rule}`);
    return [`  refused ${tool} ${describeArguments(args)}: ${code}; ${way.join(" ")}`];
  });
