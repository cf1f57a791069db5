/** What a piece of work needs for itself while it runs. */
export interface LaneClaim {
  /** Nothing else runs beside it. */
  exclusive: boolean;
  /** Real paths that it writes: two claims on one path never overlap. */
  writes: readonly string[];
  /** Work that runs within other work passes that work's claims by, and only waits for foreign paths. */
  within?: readonly LaneClaim[];
}

interface Waiting {
  claim: LaneClaim;
  start: () => void;
}

/**
 * Keeps the calls of a session out of each other's way. Work starts in the order of arrival as soon as nothing
 * that runs or waits before it conflicts, at most `limit` pieces at once.
 */
export class Lanes {
  readonly #limit: number;
  readonly #running = new Set<LaneClaim>();
  #waiting: Waiting[] = [];

  constructor(limit = 8) {
    this.#limit = limit;
  }

  /** Gives the function that frees the claim: at once where nothing is in its way, else a promise of it. */
  enter(claim: LaneClaim): (() => void) | Promise<() => void> {
    const leave = (): void => {
      this.#running.delete(claim);
      if (this.#waiting.length > 0) this.#advance();
    };
    if (this.#waiting.length === 0 && this.#fits(claim, this.#running)) {
      this.#running.add(claim);
      return leave;
    }
    return new Promise((resolve) => {
      this.#waiting.push({ claim, start: () => resolve(leave) });
      this.#advance();
    });
  }

  #advance(): void {
    const before: LaneClaim[] = [...this.#running];
    const still: Waiting[] = [];
    for (const waiting of this.#waiting) {
      if (this.#fits(waiting.claim, before)) {
        this.#running.add(waiting.claim);
        waiting.start();
      } else {
        still.push(waiting);
      }
      before.push(waiting.claim);
    }
    this.#waiting = still;
  }

  #fits(claim: LaneClaim, before: Iterable<LaneClaim>): boolean {
    const outer = claim.within ?? [];
    if (outer.length === 0 && this.#running.size >= this.#limit) return false;
    for (const other of before) {
      if (outer.includes(other)) continue;
      if (outer.length === 0 && (claim.exclusive || other.exclusive)) return false;
      if (claim.writes.some((path) => other.writes.includes(path))) return false;
    }
    return true;
  }
}
