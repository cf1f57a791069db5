/** Bounds of a run. Absent: no bound, but for turns (50). */
export interface Limits {
  turns?: number;
}

/** What a run has used of its limits. */
export class Budget {
  readonly #limits: Required<Limits>;
  #turns = 0;

  constructor(limits: Limits = {}) {
    this.#limits = { turns: limits.turns ?? 50 };
  }

  get turns(): number {
    return this.#turns;
  }

  /** Counts a turn that begins. False: the limit is reached and no turn may begin. */
  takeTurn(): boolean {
    if (this.#turns >= this.#limits.turns) return false;
    this.#turns++;
    return true;
  }

  /** Says which limit was reached. */
  describe(): string {
    return `the limit of ${this.#limits.turns} ${this.#limits.turns === 1 ? "turn" : "turns"} is reached`;
  }
}
