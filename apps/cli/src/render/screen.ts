import { isScreen, type LiveLines, liveLines } from "./live-lines.ts";
import { type Paint, painter } from "./paint.ts";
import { wrapLines } from "./text-width.ts";

/**
 * A stream that is read by a person: lines that stay, and live ones beneath them. On a terminal lines are wrapped at
 * its width of the moment.
 */
export class Screen {
  readonly paint: Paint;
  readonly live: LiveLines;
  readonly #stream: NodeJS.WriteStream;
  #turns: Promise<unknown> = Promise.resolve();
  #held = 0;
  #waiting: string[] = [];

  constructor(stream: NodeJS.WriteStream, now?: () => number) {
    this.#stream = stream;
    this.paint = painter(stream);
    this.live = liveLines(stream, now);
  }

  /** Undefined where lines are as long as they are. */
  get columns(): number | undefined {
    return this.#stream.isTTY ? this.#stream.columns || 80 : undefined;
  }

  /** Whether it takes more than plain lines. */
  get moving(): boolean {
    return isScreen(this.#stream);
  }

  /** Writes whole lines, each begun with `indent`. They hold no control characters but those of `paint`. */
  say(text: string, indent = ""): void {
    const lines = this.lines(text, indent);
    if (this.#held > 0) return void this.#waiting.push(lines);
    this.live.clear();
    this.#stream.write(`${lines}\n`);
  }

  /** The text as it is said. */
  lines(text: string, indent = ""): string {
    const { columns } = this;
    return columns === undefined ? text.replaceAll(/^/gm, indent) : wrapLines(text, columns, indent);
  }

  show(lines: readonly string[]): void {
    if (this.#held === 0) this.live.show(lines);
  }

  /** Leaves the stream to `act`, which asks the person something; one at a time. What is said meanwhile comes after. */
  hold<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#turns.then(async () => {
      this.live.clear();
      this.#held++;
      try {
        return await act();
      } finally {
        this.#held--;
        for (const lines of this.#waiting.splice(0)) this.#stream.write(`${lines}\n`);
      }
    });
    this.#turns = turn.catch(() => {});
    return turn;
  }
}
