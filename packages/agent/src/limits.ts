import { addUsage, type ErrorInfo, errorInfo, NO_USAGE, type Usage } from "@toycoder/core";

/** Bounds of a run, its subagents included. Absent: no bound, but for turns (50). */
export interface Limits {
  turns?: number;
  toolCalls?: number;
  /** Tokens of all prompts and answers together, as the provider counts them. */
  tokens?: number;
  /** USD. It takes a model whose prices are known. */
  costUsd?: number;
  minutes?: number;
}

const DEFAULT_TURNS = 50;
/** With fewer turns than that, each of them is for work: none is kept for a last word. */
const TURNS_WITH_LAST_WORD = 5;
/** The part of the time after which the last word is due. */
const LAST_MINUTES = 0.9;

/** What a run and its subagents have used together of their limits. */
export class Budget {
  readonly #limits: Limits & { turns: number };
  readonly #started = performance.now();
  readonly #costs: (number | null)[] = [];
  /** Aborted when the time is up; undefined where there is no such limit. */
  readonly timeUp: AbortSignal | undefined;
  #usage: Usage = NO_USAGE;
  #turns = 0;
  #toolCalls = 0;
  #largestTokens = 0;
  #largestCost = 0;

  constructor(limits: Limits = {}) {
    this.#limits = { ...limits, turns: limits.turns ?? DEFAULT_TURNS };
    if (limits.minutes !== undefined) this.timeUp = AbortSignal.timeout(Math.ceil(limits.minutes * 60_000));
  }

  get limits(): Limits {
    return this.#limits;
  }

  get turns(): number {
    return this.#turns;
  }

  get toolCalls(): number {
    return this.#toolCalls;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** USD; null where no turn was answered, or the cost of one is not known. */
  get costUsd(): number | null {
    let sum = 0;
    for (const cost of this.#costs) {
      if (cost === null) return null;
      sum += cost;
    }
    return this.#costs.length === 0 ? null : sum;
  }

  /** Counts a turn that begins. */
  takeTurn(): void {
    this.#turns++;
  }

  /** Counts a tool call that begins. False: the limit is reached and it may not. */
  takeCall(): boolean {
    if (this.#toolCalls >= (this.#limits.toolCalls ?? Infinity)) return false;
    this.#toolCalls++;
    return true;
  }

  /** Counts what one model call took. */
  spend(usage: Usage, costUsd: number | null): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#costs.push(costUsd);
    this.#largestTokens = Math.max(this.#largestTokens, usage.inputTokens + usage.outputTokens);
    this.#largestCost = Math.max(this.#largestCost, costUsd ?? 0);
  }

  /** The limit that is reached, so that no turn may begin; undefined where there is none. */
  get reached(): ErrorInfo | undefined {
    const { turns, tokens = Infinity, costUsd = Infinity } = this.#limits;
    if (this.#turns >= turns) return this.#turnLimit;
    if (this.#tokens >= tokens) return this.#tokenLimit;
    if (this.#cost >= costUsd) return this.#costLimit;
    return this.timeUp?.aborted === true ? this.#timeLimit : undefined;
  }

  /** The limit that leaves room for one more turn at most: time for the last word. Undefined where there is none. */
  get nearing(): ErrorInfo | undefined {
    const { turns, toolCalls = Infinity, tokens = Infinity, costUsd = Infinity, minutes } = this.#limits;
    if (turns >= TURNS_WITH_LAST_WORD && this.#turns === turns - 1) return this.#turnLimit;
    if (this.#toolCalls >= toolCalls) return this.#callLimit;
    if (this.#tokens + 2 * this.#largestTokens > tokens) return this.#tokenLimit;
    if (this.#cost + 2 * this.#largestCost > costUsd) return this.#costLimit;
    const late = (performance.now() - this.#started) / 60_000 >= LAST_MINUTES * (minutes ?? Infinity);
    return late ? this.#timeLimit : undefined;
  }

  get #tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  get #cost(): number {
    return this.#costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  }

  get #turnLimit(): ErrorInfo {
    return limit("turn_limit", plural(this.#limits.turns, "turn"), "limits.turns or --max-turns");
  }

  get #callLimit(): ErrorInfo {
    return limit("call_limit", plural(this.#limits.toolCalls ?? 0, "tool call"), "limits.toolCalls");
  }

  get #tokenLimit(): ErrorInfo {
    return limit("token_limit", plural(this.#limits.tokens ?? 0, "token"), "limits.tokens");
  }

  get #costLimit(): ErrorInfo {
    return limit("cost_limit", `$${this.#limits.costUsd ?? 0}`, "limits.costUsd or --max-cost");
  }

  get #timeLimit(): ErrorInfo {
    const time = plural(this.#limits.minutes ?? 0, "minute");
    return limit("time_limit", time, "limits.minutes or --max-minutes");
  }
}

const limit = (code: string, amount: string, key: string): ErrorInfo =>
  errorInfo(code, `the limit of ${amount} is reached`, `raise ${key}, or give a smaller task`);

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
