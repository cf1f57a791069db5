import { describeArguments, effectKinds } from "./call-text.ts";
import { type CallDecision, decisionText } from "./decision-text.ts";
import { plainLine } from "./plain-text.ts";
import type { Screen } from "./screen.ts";
import { fitEnd } from "./text-width.ts";

/** How often elapsed times are written anew. */
const TICK_MS = 1000;
/** Characters of a text that is being written which are enough for its last line. */
const TAIL = 400;

interface Running {
  label: string;
  decision: string;
  started: number;
  progress: string;
}

/** The live lines of a run: one for each tool that runs, or what the model is at. */
export class Activity {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #running = new Map<string, Running>();
  #asked: number | undefined;
  #tail = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
  }

  /** The model was asked. */
  ask(): void {
    this.#asked = this.#now();
    this.#tail = "";
    this.#draw();
  }

  /** A piece of the model's answer has come. */
  write(piece: string): void {
    this.#tail = (this.#tail + piece).slice(-TAIL);
    this.#draw();
  }

  /** The model's answer is there, or the turn is over. */
  answered(): void {
    this.#asked = undefined;
  }

  start(
    id: string,
    call: { name: string; arguments: unknown; nested: boolean },
    decision: CallDecision,
  ): void {
    const label = `${call.nested ? "    " : ""}  … ${plainLine(call.name)} ${describeArguments(call.arguments)}`;
    const kinds = effectKinds(decision.effects);
    const words = [kinds, decisionText(decision)].filter((one) => one !== "").join(", ");
    this.#running.set(id, { label, decision: words, started: this.#now(), progress: "" });
    this.#draw();
  }

  progress(id: string, message: string): void {
    const call = this.#running.get(id);
    if (call === undefined) return;
    call.progress = plainLine(message);
    this.#draw(true);
  }

  end(id: string): void {
    this.#running.delete(id);
  }

  /** Shows what goes on again, after something else was written. */
  refresh(): void {
    this.#draw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#running.clear();
    this.#asked = undefined;
    this.#screen.live.clear();
  }

  #draw(news = false): void {
    const { moving } = this.#screen.live;
    if (!moving && !news) return;
    const lines = this.#lines();
    if (moving && lines.length > 0) this.#timer ??= setInterval(() => this.#draw(), TICK_MS).unref();
    this.#screen.show(lines);
  }

  #lines(): string[] {
    const { paint } = this.#screen;
    if (this.#running.size > 0) {
      return [...this.#running.values()].map(({ label, decision, started, progress }) => {
        const state = [this.#since(started), decision].filter((one) => one !== "").join(", ");
        return `${label} ${paint.dim(`(${state})`)}${progress === "" ? "" : ` ${progress}`}`;
      });
    }
    if (this.#asked === undefined) return [];
    const since = this.#since(this.#asked);
    const line = plainLine(this.#tail.slice(this.#tail.trimEnd().lastIndexOf("\n") + 1));
    const tail = fitEnd(line, Math.max(10, (this.#screen.columns ?? 80) - since.length - 10));
    return [paint.dim(`  ${tail === "" ? "… the model thinks" : tail} (${since})`)];
  }

  #since(start: number): string {
    const seconds = Math.floor((this.#now() - start) / 1000);
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
}
