export interface ProgressOptions {
  /** The least time between two lines of output that are told. */
  everyMs: number;
  /** After so much time without output, and again each time after: a line that says how long it has been running. */
  quietMs: number;
}

/** Tells whoever watches a command what it does: its last line of output, at once and then not too often. */
export class CommandProgress {
  readonly #tell: (message: string) => void;
  readonly #everyMs: number;
  readonly #started = performance.now();
  readonly #quiet: NodeJS.Timeout;
  #heard = this.#started;
  #told = Number.NEGATIVE_INFINITY;
  #line = "";
  #waiting: NodeJS.Timeout | undefined;

  constructor(tell: (message: string) => void, { everyMs, quietMs }: ProgressOptions) {
    this.#tell = tell;
    this.#everyMs = everyMs;
    this.#quiet = setInterval(() => this.#tellSilence(), quietMs);
  }

  /** There was output; `line` is its last one. */
  output(line: string): void {
    this.#heard = performance.now();
    this.#quiet.refresh();
    if (line === "" || line === this.#line) return;
    this.#line = line;
    const wait = this.#told + this.#everyMs - this.#heard;
    if (wait <= 0) this.#tellLine();
    else this.#waiting ??= setTimeout(() => this.#tellLine(), wait);
  }

  /** Nothing is told after this. */
  end(): void {
    clearInterval(this.#quiet);
    clearTimeout(this.#waiting);
  }

  #tellLine(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    this.#told = performance.now();
    this.#tell(this.#line);
  }

  #tellSilence(): void {
    const now = performance.now();
    const since = (from: number): string => `${Math.round((now - from) / 1000)} s`;
    const silence =
      this.#heard === this.#started ? "without output" : `the last ${since(this.#heard)} without output`;
    this.#tell(`running for ${since(this.#started)}, ${silence}`);
  }
}
