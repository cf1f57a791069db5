/** The time limit of a call: renewed by progress up to a maximum, held while a person is asked. */
export class CallTimer {
  readonly #controller = new AbortController();
  readonly #limitMs: number;
  readonly #until: number;
  readonly #outer: AbortSignal;
  readonly #cancel = (): void => this.#controller.abort(this.#outer.reason);
  #timer: NodeJS.Timeout | undefined;
  #held = 0;
  #isUp = false;

  constructor(limitMs: number, maxMs: number, outer: AbortSignal) {
    this.#limitMs = limitMs;
    this.#until = performance.now() + maxMs;
    this.#outer = outer;
    if (outer.aborted) this.#cancel();
    else outer.addEventListener("abort", this.#cancel, { once: true });
    this.renew();
  }

  /** Aborts at the limit, and when the outer signal does. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the limit was reached. */
  get isUp(): boolean {
    return this.#isUp;
  }

  renew(): void {
    clearTimeout(this.#timer);
    if (this.#held > 0) return;
    const left = Math.min(this.#limitMs, Math.max(0, this.#until - performance.now()));
    this.#timer = setTimeout(() => {
      this.#isUp = true;
      this.#controller.abort();
    }, left);
  }

  async hold<T>(work: Promise<T>): Promise<T> {
    this.#held++;
    clearTimeout(this.#timer);
    try {
      return await work;
    } finally {
      this.#held--;
      this.renew();
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#cancel);
    this.#held = Infinity;
  }
}
