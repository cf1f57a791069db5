import {
  dispatch,
  type DispatchEvent,
  type ErrorInfo,
  errorInfo,
  type Session,
  text,
  type ToolCall,
  type ToolResult,
  type ToolResultPart,
} from "@toycoder/core";
import type { Budget } from "./limits.ts";
import { RepeatedCalls } from "./repeated-calls.ts";
import type { Denial } from "./result.ts";
import type { Emit } from "./turn.ts";
import type { VisibleTools } from "./visible-tools.ts";

/** Why the calls of an answer may not run: it was cut off, or it should have been the last word. */
export type NotRun = "cut_off" | "last_word";

/** Runs the calls that a model asks for, tells what becomes of them, and keeps what was refused. */
export class RunCalls {
  readonly #session: Session;
  readonly #tools: VisibleTools;
  readonly #budget: Budget;
  readonly #signal: AbortSignal;
  readonly #emit: Emit;
  readonly #repeated = new RepeatedCalls();
  readonly denials: Denial[] = [];
  /** Set once the model goes in circles and the run has to end. */
  stuck: ErrorInfo | undefined;

  constructor(parts: {
    session: Session;
    tools: VisibleTools;
    budget: Budget;
    signal: AbortSignal;
    emit: Emit;
  }) {
    this.#session = parts.session;
    this.#tools = parts.tools;
    this.#budget = parts.budget;
    this.#signal = parts.signal;
    this.#emit = parts.emit;
  }

  /** The results, in the order of the calls. Never rejects. */
  run(calls: readonly ToolCall[], turn: number, notRun?: NotRun): Promise<ToolResultPart[]> {
    return Promise.all(calls.map((call) => this.#run(call, turn, notRun)));
  }

  /** A file has changed: what failed before may come out otherwise now. */
  noteChange(): void {
    this.#repeated.clear();
  }

  async #run(call: ToolCall, turn: number, notRun: NotRun | undefined): Promise<ToolResultPart> {
    const started = performance.now();
    const result = await this.#resultOf(call, notRun);
    const { notes } = result;
    const content = [...result.content, ...this.#judge(call, result)];
    const outcome = result.ok ? { ok: true } : { ok: false, code: result.error.code };
    const durationMs = Math.round(performance.now() - started);
    const { id: callId, name } = call;
    this.#emit({ type: "tool_result", turn, callId, name, ...outcome, content, notes, durationMs });
    return { callId, name, ...outcome, content };
  }

  async #resultOf(call: ToolCall, notRun: NotRun | undefined): Promise<ToolResult> {
    if (notRun === "cut_off") return CUT_OFF;
    if (notRun === "last_word" || !this.#budget.takeCall()) return NO_MORE_CALLS;
    const refused = this.#tools.refusal(call.name);
    if (refused !== undefined) return refused;
    const own = { ...call, name: this.#tools.ownName(call.name) };
    const observe = (event: DispatchEvent): void => this.#observe(event);
    return await dispatch(own, this.#session, { signal: this.#signal, observe });
  }

  /** What the model is told about going in circles. */
  #judge(call: ToolCall, result: ToolResult): ReturnType<typeof text>[] {
    const verdict = this.#repeated.note(call, result);
    if (verdict === "go_on") return [];
    if (verdict === "nudge") return [text(NUDGE)];
    const message = `the model made the same call of ${call.name} again and again, with the same failure`;
    this.stuck ??= errorInfo("repeated_call", message, "see the last tool results for what is in the way");
    return [];
  }

  #observe(event: DispatchEvent): void {
    if (event.type === "progress") {
      const { callId, tool, message } = event;
      return this.#emit({ type: "tool_progress", callId, tool, message });
    }
    const { callId, tool, refusal } = event;
    const { decision, rule, reason, effects, suggestion, suggestions } = event.decision;
    const refused = refusal !== undefined && { refusal };
    this.#emit({ type: "decision", callId, tool, decision, rule, reason, effects, ...refused });
    if (refusal !== undefined) {
      this.denials.push({ tool, arguments: event.input, code: refusal, rule, suggestion, suggestions });
    }
  }
}

const NUDGE =
  "This call has failed in the same way three times. Don't repeat it: try something else, or stop and say what is in the way.";

const notRun = (reason: string, advice: string): ToolResult => ({
  ok: false,
  error: errorInfo("cancelled", `${reason}, so the call did not run`),
  content: [text(`Error (cancelled): ${reason}, so this call did not run.${advice}`)],
  notes: [],
});

const CUT_OFF = notRun("your answer was cut off at its length limit", " Send it again, smaller.");
const NO_MORE_CALLS = notRun("a limit of the run is reached", " Answer without calls.");
