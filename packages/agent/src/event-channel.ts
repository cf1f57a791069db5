/** A queue from one producer to one consumer. Pushed items are never lost; iteration ends after `end`. */
export class EventChannel<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  #waiting: (() => void)[] = [];
  #reading = true;

  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Resolves when the consumer has dealt with all that was pushed so far, or reads no more. */
  async taken(): Promise<void> {
    const idle = this.#items.length === 0 && this.#wake !== undefined;
    if (this.#reading && !idle) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const items = this.#items;
        this.#items = [];
        yield* items;
        if (this.#items.length > 0) continue;
        this.#release();
        if (this.#ended) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    } finally {
      this.#reading = false;
      this.#release();
    }
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
