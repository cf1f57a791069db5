import type { AgentEvent, RunResult } from "@toycoder/agent";
import { textOf } from "@toycoder/core";
import { Activity } from "./activity.ts";
import { answerText } from "./answer-text.ts";
import { clipLines, describeArguments, effectKinds, paintDiff } from "./call-text.ts";
import { decisionText } from "./decision-text.ts";
import type { Paint } from "./paint.ts";
import { plainValue } from "./plain-text.ts";
import type { Renderer } from "./renderer.ts";
import { Screen } from "./screen.ts";
import { failureLines, summaryLines, tokensText } from "./summary.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

export interface TextOptions {
  /** `quiet`: the answer and errors alone; `verbose`: results' first lines, usage and reasoning, too. */
  detail?: "quiet" | "verbose";
  /** What stderr is shown on, where others write there, too. */
  screen?: Screen;
  /** The calls whose change the person has seen already. */
  shown?: ReadonlySet<string>;
  /** Without the lines that head a run and its turns. */
  brief?: boolean;
  /** The lines at the end. */
  summary?: (result: RunResult, paint: Paint) => string[];
  now?: () => number;
}

/** Lines of a diff, of a failure, of a result and of reasoning that are shown. */
const DIFF_LINES = 40;
const FAILURE_LINES = 6;
const RESULT_LINES = 8;
const REASONING_LINES = 12;

/**
 * `--output text`: the answer on stdout; turns, calls, decisions, diffs and the outcome on stderr. What comes from
 * a model or a tool reaches a terminal without its control characters.
 */
export function textRenderer(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  options: TextOptions = {},
): Renderer {
  return new TextRenderer(stdout, options.screen ?? new Screen(stderr), options);
}

class TextRenderer implements Renderer {
  readonly #stdout: NodeJS.WriteStream;
  readonly #format: (text: string) => string;
  readonly #screen: Screen;
  readonly #paint: Paint;
  readonly #options: TextOptions;
  readonly #activity: Activity;
  readonly #calls = new Map<string, EventOf<"tool_call">>();
  readonly #decisions = new Map<string, EventOf<"decision">>();
  #finalText: string | undefined;

  constructor(stdout: NodeJS.WriteStream, screen: Screen, options: TextOptions) {
    this.#stdout = stdout;
    this.#format = answerText(stdout).format;
    this.#screen = screen;
    this.#paint = screen.paint;
    this.#options = options;
    this.#activity = new Activity(screen, options.now);
  }

  event(given: AgentEvent): void {
    if (this.#options.detail === "quiet") return;
    const event = plainValue(given);
    this.#show(event, event.parent === undefined ? "" : "    ");
    this.#activity.refresh();
  }

  result(given: RunResult): void {
    const { detail, summary = detail === "quiet" ? failureLines : summaryLines } = this.#options;
    this.#activity.stop();
    if (given.text !== "") this.#stdout.write(`${this.#format(given.text)}\n`);
    for (const line of summary(plainValue(given), this.#paint)) {
      const words = line.trimStart();
      this.#screen.say(words, line.slice(0, line.length - words.length));
    }
  }

  #show(event: AgentEvent, indent: string): void {
    const paint = this.#paint;
    const { brief = false } = this.#options;
    const verbose = this.#options.detail === "verbose";
    const nested = event.parent !== undefined;
    const tell = (text: string, more = ""): void => this.#screen.say(text, indent + more);
    switch (event.type) {
      case "session_start":
        if (!brief) tell(paint.dim(`${event.model} in ${event.workspace}, session ${event.sessionId}`));
        break;
      case "turn_start":
        if (!nested && !brief) tell(paint.bold(`turn ${event.turn}`));
        if (!nested) this.#activity.ask();
        break;
      case "text_delta":
        if (!nested) this.#activity.write(event.text);
        break;
      case "reasoning_delta":
        if (!nested && verbose) this.#activity.write(event.text);
        break;
      case "reasoning":
        if (verbose && event.text.trim() !== "")
          tell(paint.dim(clipLines(event.text.trim(), REASONING_LINES)), "  ");
        break;
      case "text":
        if (!nested) this.#finalText = event.text;
        break;
      case "usage":
        if (!nested) this.#activity.answered();
        if (verbose) tell(paint.dim(tokensText(event, event.costUsd)), "  ");
        break;
      case "tool_call":
        if (!nested) this.#sayText();
        this.#calls.set(callOf(event), event);
        break;
      case "decision": {
        const call = this.#calls.get(callOf(event));
        this.#decisions.set(callOf(event), event);
        if (event.refusal === undefined && call !== undefined)
          this.#activity.start(callOf(event), { ...call, nested }, event);
        break;
      }
      case "tool_progress":
        this.#activity.progress(callOf(event), event.message);
        break;
      case "tool_result":
        this.#activity.end(callOf(event));
        this.#sayResult(event, tell);
        break;
      case "retry": {
        const wait = `again in ${(event.delayMs / 1000).toFixed(1)} s (try ${event.attempt + 1})`;
        tell(paint.yellow(`! ${event.error.message}; ${wait}`), "  ");
        if (!nested) this.#activity.ask();
        break;
      }
      case "notice":
        if (event.code === "status") tell(paint.dim(event.message));
        else tell(paint.yellow(`! ${event.message}`), "  ");
        break;
      case "compaction": {
        const { tokensBefore, tokensAfter } = event;
        tell(paint.dim(`the conversation is shortened from ${tokensBefore} to ${tokensAfter} tokens`), "  ");
        break;
      }
      default:
    }
  }

  /** What the model said before it called tools. */
  #sayText(): void {
    if (this.#finalText !== undefined) this.#screen.say(this.#finalText.trim(), "  ");
    this.#finalText = undefined;
  }

  #sayResult(result: EventOf<"tool_result">, tell: (text: string, more: string) => void): void {
    const paint = this.#paint;
    const decision = this.#decisions.get(callOf(result));
    const content = textOf(result.content);
    const effects = effectKinds(decision?.effects ?? []);
    const facts = [
      effects,
      headerOf(content),
      `${result.durationMs} ms`,
      decision === undefined ? "" : decisionText(decision),
    ].filter((one) => one !== "");
    const mark = result.ok ? paint.green("✓") : paint.red("✗");
    const about = describeArguments(this.#calls.get(callOf(result))?.arguments);
    tell(`${mark} ${result.name} ${about}  ${paint.dim(facts.join(", "))}`, "  ");

    const unseen = effects.includes("write") && this.#options.shown?.has(result.callId) !== true;
    const diff = unseen ? content.search(/^--- /m) : -1;
    if (!result.ok) tell(paint.red(clipLines(content, FAILURE_LINES)), "    ");
    else if (diff !== -1 && content.includes("\n@@ "))
      tell(paintDiff(clipLines(content.slice(diff), DIFF_LINES), paint), "    ");
    else if (this.#options.detail === "verbose" && content.trim() !== "")
      tell(paint.dim(clipLines(content.trim(), RESULT_LINES)), "    ");
  }
}

/** A call's id is unique in one conversation, and a subagent has one of its own. */
const callOf = ({ parent = "", callId }: { parent?: string; callId: string }): string =>
  `${parent} ${callId}`;

/** The header that a result starts with, as in `[exit 1 · 0.3 s]`. */
const headerOf = (content: string): string => /^\[([^\]\n]{1,120})\]/.exec(content)?.[1] ?? "";
