import type { Mask, Model, ModelEvent, ModelRequest, ToolCall } from "@toycoder/core";
import { maskStrings } from "./mask-strings.ts";

/** Takes one line of a cassette, without its line end. */
export type WriteLine = (line: string) => void;

/** How a cassette is recorded. */
export interface RecordOptions {
  /** Takes out of every text what the cassette may not hold: keys, credentials. */
  mask?: Mask;
}

/**
 * Wraps any model so that its turns are written as a cassette while they happen. Each turn is written when its
 * answer is complete, what a retry made void left out; the outcomes of its calls follow with the next request.
 */
export function recordModel(model: Model, write: WriteLine, { mask }: RecordOptions = {}): Model {
  const recorder = new Recorder(write, mask);
  return {
    // A model with a fallback changes them on its way.
    get id() {
      return model.id;
    },
    get contextWindow() {
      return model.contextWindow;
    },
    get maxOutputTokens() {
      return model.maxOutputTokens;
    },
    get prices() {
      return model.prices;
    },
    async *stream(request, options): AsyncGenerator<ModelEvent> {
      if (request.aside === true) return yield* model.stream(request, options);
      recorder.begin(request);
      for await (const event of model.stream(request, options)) {
        recorder.take(event);
        yield event;
      }
    },
  };
}

class Recorder {
  readonly #write: WriteLine;
  readonly #mask: Mask | undefined;
  #turn = 0;
  #lines: object[] = [];
  #header: object[] = [];
  #open: readonly string[] = [];

  constructor(write: WriteLine, mask: Mask | undefined) {
    this.#write = write;
    this.#mask = mask;
  }

  begin({ tools, messages }: ModelRequest): void {
    this.#header = [];
    const last = messages.at(-1);
    if (last?.role === "tool" && this.#open.length > 0) {
      for (const { callId, name, ok, code } of last.results) {
        if (!this.#open.includes(callId)) continue;
        this.#header.push({ type: "tool_result", turn: this.#turn, callId, name, ok, ...(code && { code }) });
      }
    }
    this.#lines = [{ type: "turn_start", turn: this.#turn + 1, tools: tools.map((tool) => tool.name) }];
  }

  take(event: ModelEvent): void {
    const turn = this.#turn + 1;
    switch (event.type) {
      case "text":
      case "reasoning":
        this.#addText(event.type, event.text, turn);
        break;
      case "tool_call":
        this.#lines.push(callLine(event.call, turn));
        break;
      case "usage":
        this.#lines.push({ type: "usage", turn, ...event.usage, costUsd: event.costUsd ?? null });
        break;
      case "retry":
        this.#lines.length = 1;
        break;
      case "finish":
        this.#end(event.reason, turn);
        break;
      default:
    }
  }

  #addText(type: "text" | "reasoning", text: string, turn: number): void {
    const last = this.#lines.at(-1) as { type: string; text?: string } | undefined;
    if (last?.type === type) last.text = (last.text ?? "") + text;
    else if (text !== "") this.#lines.push({ type, turn, text });
  }

  #end(finish: string, turn: number): void {
    this.#turn = turn;
    const at = new Date().toISOString();
    this.#lines.push({ type: "turn_end", turn, finish });
    for (const line of [...this.#header, ...this.#lines]) {
      const masked = this.#mask === undefined ? line : maskStrings(line, this.#mask);
      this.#write(JSON.stringify({ v: 1, at, ...masked }));
    }
    this.#open = this.#lines.flatMap((line) => ("callId" in line ? [String(line.callId)] : []));
  }
}

const callLine = ({ id, name, arguments: args }: ToolCall, turn: number): object => ({
  type: "tool_call",
  turn,
  callId: id,
  name,
  arguments: args,
});
