import { type ContentPart, type Message, SetupError, text, textOf } from "@toycoder/core";
import { Compaction } from "./compaction.ts";
import { CANCELLED, CUT_OFF, deniedEnding, EMPTY, type Ending, failedEnding, REFUSED } from "./ending.ts";
import { type AgentEvent, stamp } from "./event.ts";
import { EventChannel } from "./event-channel.ts";
import { Budget } from "./limits.ts";
import { emptyResult, exitCodeOf, type RunResult } from "./result.ts";
import { RunCalls } from "./run-calls.ts";
import type { RunOptions } from "./run-options.ts";
import { openRun } from "./run-state.ts";
import { type StartSubagent, Subagents } from "./subagent.ts";
import type { Answer, Emit } from "./turn.ts";
import { TypedAnswer } from "./typed-answer.ts";
import { VisibleTools } from "./visible-tools.ts";

/**
 * Runs a task to its end. The last event is always `result`; the iteration never throws. To stop early, abort
 * `signal`: the run then ends by itself, its tools stopped.
 */
export async function* runAgent(options: RunOptions): AsyncGenerator<AgentEvent, void> {
  const events = new EventChannel<AgentEvent>();
  const run = new Run(
    options,
    (body) => events.push(stamp(body)),
    () => events.taken(),
  );
  const end = (result: RunResult): void => {
    events.push(stamp({ type: "result", result }));
    events.end();
  };
  run.toResult().then(end, (error: unknown) => {
    const { error: told = null } = failedEnding(error);
    end({ ...emptyResult("internal_error", told, options.model.id), sessionId: options.session.id });
  });
  yield* events;
}

/** What a subagent shares with its parent, and the tools that it was given. */
interface Subordinate {
  budget: Budget;
  only: ReadonlySet<string>;
}

class Run {
  readonly #options: RunOptions;
  readonly #emit: Emit;
  readonly #taken: () => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #budget: Budget;
  readonly #tools: VisibleTools;
  readonly #calls: RunCalls;
  readonly #compaction: Compaction;
  readonly #subagents: Subagents;
  readonly #subordinate: boolean;
  readonly #typed: TypedAnswer | undefined;
  readonly #messages: Message[] = [];
  readonly #started = performance.now();
  #turn = 0;
  #text = "";
  #emptyAnswers = 0;

  constructor(options: RunOptions, emit: Emit, taken: () => Promise<void>, subordinate?: Subordinate) {
    const { signal, limits, changes, output } = options;
    this.#options = options;
    this.#emit = emit;
    this.#taken = taken;
    this.#typed = output && new TypedAnswer(output, emit);
    this.#subordinate = subordinate !== undefined;
    this.#budget = subordinate?.budget ?? new Budget(limits);
    this.#signal = AbortSignal.any([signal, this.#budget.timeUp].filter((one) => one !== undefined));
    this.#tools = new VisibleTools({ ...options, only: subordinate?.only });
    const shared = { budget: this.#budget, tools: this.#tools, signal: this.#signal, emit };
    const basis = { ...options, ...shared, options };
    this.#calls = new RunCalls(basis);
    this.#compaction = new Compaction({ ...basis, messages: this.#messages });
    const start: StartSubagent = (given, only, tell) =>
      new Run(given, tell, taken, { budget: this.#budget, only });
    this.#subagents = new Subagents({ ...basis, denials: this.#calls.denials, start });
    changes?.onChange((change) => {
      this.noteChange();
      emit({ type: "change", ...change });
    });
  }

  /** A file has changed: what failed before may come out otherwise now. */
  noteChange(): void {
    this.#calls.noteChange();
    this.#subagents.noteChange();
  }

  /** Never rejects: what goes wrong is the result's status. */
  async toResult(): Promise<RunResult> {
    const ending = await this.#loop().catch((error: unknown) => this.#thrown(error));
    await this.#subagents.settled();
    const { model, session, changes, signal } = this.#options;
    const { usage, costUsd, turns, toolCalls } = this.#budget;
    return {
      schemaVersion: 1,
      status: ending.status,
      exitCode: exitCodeOf(ending.status, signal?.reason),
      text: this.#typed?.text ?? this.#text,
      output: this.#typed?.value ?? null,
      error: ending.error ?? null,
      denials: this.#calls.denials,
      changes: changes?.summary() ?? [],
      usage: { ...usage, costUsd },
      turns,
      toolCalls,
      durationMs: Math.round(performance.now() - this.#started),
      model: model.id,
      sessionId: session.id,
    };
  }

  async #loop(): Promise<Ending> {
    this.#begin();
    for (;;) {
      const { reached, nearing } = this.#budget;
      // The last word is the parent's.
      const over = reached ?? (this.#subordinate ? nearing : undefined);
      if (over !== undefined) return { status: "limit", error: over };
      if (nearing !== undefined) this.#say(LAST_WORD);

      const answer = await this.#ask();
      // Before a call runs, as before a question, whoever keeps the events has them.
      await this.#taken();
      const notRun = answer.finish === "length" ? "cut_off" : nearing && "last_word";
      const results = await this.#calls.run(answer.calls, this.#turn, notRun);
      if (results.length > 0) this.#messages.push({ role: "tool", results });
      this.#emit({ type: "turn_end", turn: this.#turn, finish: answer.finish });

      this.#signal.throwIfAborted();
      const ending = this.#endingAfter(answer);
      if (nearing !== undefined && ending?.status !== "provider_error")
        return { status: "limit", error: nearing };
      const next = this.#typed === undefined ? ending : await this.#typed.next(ending, answer.text);
      if (typeof next === "string") this.#say(text(next));
      else if (next !== undefined) return next;
    }
  }

  /** Takes up the conversation. */
  #begin(): void {
    const { model, session, task, history = [], lastTurn } = this.#options;
    const content = task === undefined ? [] : typeof task === "string" ? [text(task)] : task;
    this.#messages.push(...history);
    if (!this.#subordinate) {
      this.#tools.resume(history);
      openRun(session, { tools: this.#tools, subagents: this.#subagents });
    }
    this.#turn = lastTurn ?? history.filter(({ role }) => role === "assistant").length;
    this.#emit({
      type: "session_start",
      sessionId: session.id,
      model: model.id,
      workspace: session.workspace.root,
      task: textOf(content),
      ...(history.length > 0 && { resumed: true }),
    });
    if (this.#budget.limits.costUsd !== undefined && model.prices === undefined) throw unknownCost(model.id);
    if (content.length > 0) this.#say(...content);
  }

  /** Adds what the model is told in the person's place. */
  #say(...content: ContentPart[]): void {
    this.#messages.push({ role: "user", content });
    this.#emit({ type: "user", content });
  }

  async #ask(): Promise<Answer> {
    const { session, instructions } = this.#options;
    this.#budget.takeTurn();
    const turn = ++this.#turn;
    const tools = this.#tools.list();
    this.#emit({ type: "turn_start", turn, tools: tools.map((tool) => tool.name) });
    await this.#taken();
    const basis = { instructions, messages: this.#messages, tools, sessionId: session.id };
    const request = { ...basis, ...this.#typed?.request(instructions) };
    const answer = await this.#compaction.ask(request, turn);
    this.#budget.spend(answer.usage, answer.costUsd);
    this.#messages.push({ role: "assistant", content: answer.parts });
    if (answer.text !== "") this.#text = answer.text;
    return answer;
  }

  /** How the run ends after a turn, or undefined where it goes on. */
  #endingAfter({ finish, calls, text: said }: Answer): Ending | undefined {
    const { stuck, denials } = this.#calls;
    const denied = deniedEnding(denials);
    if (stuck !== undefined) return { status: "limit", error: stuck };
    if (denied !== undefined && this.#options.session.policy.onAsk === "stop") return denied;
    if (finish === "refusal") return REFUSED;
    if (calls.length > 0) return undefined;
    if (finish === "length") return CUT_OFF;
    if (said.trim() !== "") return denied ?? { status: "completed" };
    if (this.#emptyAnswers++ > 0) return EMPTY;
    this.#say(ANSWER);
    return undefined;
  }

  #thrown(error: unknown): Ending {
    if (this.#options.signal?.aborted === true) return CANCELLED;
    const { timeUp, reached } = this.#budget;
    if (timeUp?.aborted === true && reached !== undefined) return { status: "limit", error: reached };
    return failedEnding(error);
  }
}

const LAST_WORD = text(
  "A limit of this run is about to be reached, and no further call will run. Answer now, without calls: what is done, and what is left to do.",
);

const ANSWER = text("Your answer was empty. Say what you did and what is left, or go on with the task.");

const unknownCost = (model: string): SetupError =>
  new SetupError("cost_unknown", `limits.costUsd cannot be kept: the prices of ${model} are not known`, {
    hint: "give prices beside the model in the config, or another limit",
  });
