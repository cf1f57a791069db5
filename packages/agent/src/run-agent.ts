import {
  addUsage,
  type ContentPart,
  dispatch,
  type DispatchEvent,
  type ErrorInfo,
  errorInfo,
  isModelError,
  isSetupError,
  type Message,
  messageOf,
  type Model,
  NO_USAGE,
  type Session,
  text,
  textOf,
  type ToolCall,
  type ToolResult,
  type ToolResultPart,
} from "@toycoder/core";
import type { ChangeLog } from "./change-log.ts";
import { type AgentEvent, type DeltaBody, type EventBody, stamp } from "./event.ts";
import { EventChannel } from "./event-channel.ts";
import { Budget, type Limits } from "./limits.ts";
import { type Denial, exitCodeOf, type RunResult, type RunStatus } from "./result.ts";
import { askModel } from "./turn.ts";

export interface RunOptions {
  model: Model;
  session: Session;
  /** What the person asks for. */
  task: string | readonly ContentPart[];
  /** The system prompt. */
  instructions: string;
  limits?: Limits;
  /** Aborts the run; a reason with a number `exitCode` decides the result's. */
  signal?: AbortSignal;
  /** Where the session's changes of files are kept; without one, the result lists none. */
  changes?: ChangeLog;
}

/**
 * Runs a task to its end. The last event is always `result`; the iteration never throws. To stop early, abort
 * `signal`: the run then ends by itself, its tools stopped.
 */
export async function* runAgent(options: RunOptions): AsyncGenerator<AgentEvent, void> {
  const events = new EventChannel<AgentEvent>();
  const run = new Run(options, (body) => events.push(stamp(body)));
  void run.toResult().then((result) => {
    events.push(stamp({ type: "result", result }));
    events.end();
  });
  yield* events;
}

interface Ending {
  status: RunStatus;
  error?: ErrorInfo;
}

class Run {
  readonly #options: RunOptions;
  readonly #emit: (body: EventBody | DeltaBody) => void;
  readonly #signal: AbortSignal;
  readonly #budget: Budget;
  readonly #messages: Message[] = [];
  readonly #denials: Denial[] = [];
  readonly #started = performance.now();
  #usage = NO_USAGE;
  #toolCalls = 0;
  #text = "";

  constructor(options: RunOptions, emit: (body: EventBody | DeltaBody) => void) {
    this.#options = options;
    this.#emit = emit;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#budget = new Budget(options.limits);
    options.changes?.onChange((change) => emit({ type: "change", ...change }));
  }

  /** Never rejects: what goes wrong is the result's status. */
  async toResult(): Promise<RunResult> {
    const ending = await this.#loop().catch((error: unknown) => this.#failed(error));
    const { model, session, changes } = this.#options;
    return {
      schemaVersion: 1,
      status: ending.status,
      exitCode: exitCodeOf(ending.status, this.#signal.reason),
      text: this.#text,
      output: null,
      error: ending.error ?? null,
      denials: this.#denials,
      changes: changes?.summary() ?? [],
      usage: { ...this.#usage, costUsd: null },
      turns: this.#budget.turns,
      toolCalls: this.#toolCalls,
      durationMs: Math.round(performance.now() - this.#started),
      model: model.id,
      sessionId: session.id,
    };
  }

  async #loop(): Promise<Ending> {
    const { model, session, task } = this.#options;
    const content = typeof task === "string" ? [text(task)] : task;
    this.#messages.push({ role: "user", content });
    const workspace = session.workspace.root;
    this.#emit({
      type: "session_start",
      sessionId: session.id,
      model: model.id,
      workspace,
      task: textOf(content),
    });

    while (this.#budget.takeTurn()) {
      const turn = this.#budget.turns;
      const tools = session.tools();
      this.#emit({ type: "turn_start", turn, tools: tools.map((tool) => tool.name) });
      const { instructions } = this.#options;
      const request = { instructions, messages: this.#messages, tools, sessionId: session.id };
      const answer = await askModel(model, request, turn, this.#signal, this.#emit);
      this.#usage = addUsage(this.#usage, answer.usage);
      this.#messages.push({ role: "assistant", content: answer.parts });
      if (answer.text !== "") this.#text = answer.text;

      const cutOff = answer.finish === "length";
      const results = await Promise.all(answer.calls.map((call) => this.#call(call, turn, cutOff)));
      if (results.length > 0) this.#messages.push({ role: "tool", results });
      this.#emit({ type: "turn_end", turn, finish: answer.finish });

      const ending = this.#endingAfter(answer.finish, results.length);
      if (ending !== undefined) return ending;
    }
    return { status: "limit", error: errorInfo("turn_limit", this.#budget.describe()) };
  }

  /** How the run ends after a turn, or undefined where it goes on. */
  #endingAfter(finish: string, calls: number): Ending | undefined {
    this.#signal.throwIfAborted();
    const lacking = this.#denials.some(
      ({ code }) => code === "approval_required" || code === "tool_disabled",
    );
    if (lacking && this.#options.session.policy.onAsk === "stop") return this.#denied();
    if (finish === "refusal") {
      return { status: "provider_error", error: errorInfo("refused", "the model refused the task") };
    }
    if (calls > 0) return undefined;
    if (finish === "length") {
      const message = "the model's answer was cut off at its output limit";
      return { status: "limit", error: errorInfo("output_limit", message) };
    }
    return lacking ? this.#denied() : { status: "completed" };
  }

  #denied(): Ending {
    const codes = ["approval_required", "tool_disabled"];
    const tools = new Set(this.#denials.filter(({ code }) => codes.includes(code)).map(({ tool }) => tool));
    const message = `the config lacks a rule for calls of ${[...tools].join(", ")}`;
    return { status: "denied", error: errorInfo("approval_required", message, "see denials for the rules") };
  }

  async #call(call: ToolCall, turn: number, cutOff: boolean): Promise<ToolResultPart> {
    const started = performance.now();
    const { session } = this.#options;
    const observe = (event: DispatchEvent): void => this.#observe(event);
    const result = cutOff ? CUT_OFF : await dispatch(call, session, { signal: this.#signal, observe });
    this.#toolCalls++;
    const { content, notes } = result;
    const outcome = result.ok ? { ok: true } : { ok: false, code: result.error.code };
    const durationMs = Math.round(performance.now() - started);
    const { id: callId, name } = call;
    this.#emit({ type: "tool_result", turn, callId, name, ...outcome, content, notes, durationMs });
    return { callId, name, ...outcome, content };
  }

  #observe(event: DispatchEvent): void {
    if (event.type === "progress") {
      const { callId, tool, message } = event;
      return this.#emit({ type: "tool_progress", callId, tool, message });
    }
    const { callId, tool, refusal } = event;
    const { decision, rule, reason, effects, suggestion, suggestions } = event.decision;
    this.#emit({
      type: "decision",
      callId,
      tool,
      decision,
      rule,
      reason,
      effects,
      ...(refusal && { refusal }),
    });
    if (refusal !== undefined) {
      this.#denials.push({ tool, arguments: event.input, code: refusal, rule, suggestion, suggestions });
    }
  }

  #failed(error: unknown): Ending {
    if (this.#signal.aborted)
      return { status: "cancelled", error: errorInfo("cancelled", "the run was stopped") };
    if (isModelError(error))
      return { status: "provider_error", error: errorInfo(error.kind, error.message, error.hint) };
    if (isSetupError(error))
      return { status: "config_error", error: errorInfo(error.code, error.message, error.hint) };
    return { status: "internal_error", error: errorInfo("internal_error", messageOf(error)) };
  }
}

const CUT_OFF: ToolResult = {
  ok: false,
  error: errorInfo("cancelled", "the answer was cut off at the output limit, so the call did not run"),
  content: [
    text(
      "Error (cancelled): your answer was cut off at its length limit, so this call did not run. Send it again, smaller.",
    ),
  ],
  notes: [],
};
