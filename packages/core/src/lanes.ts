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

  /** Resolves when the claim holds; the function given back frees it. */
  async enter(claim: LaneClaim): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#fits(claim, [...this.#running])) {
      await new Promise<void>((resolve) => {
        this.#waiting.push({ claim, start: resolve });
        this.#advance();
      });
    } else {
      this.#running.add(claim);
    }
    return () => {
      this.#running.delete(claim);
      this.#advance();
    };
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

  #fits(claim: LaneClaim, before: readonly LaneClaim[]): boolean {
    const outer = claim.within ?? [];
    if (outer.length === 0 && this.#running.size >= this.#limit) return false;
    return before.every((other) => {
      if (outer.includes(other)) return true;
      if (outer.length === 0 && (claim.exclusive || other.exclusive)) return false;
      return !claim.writes.some((path) => other.writes.includes(path));
    });
  }
}
