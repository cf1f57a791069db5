import {
  type AssistantPart,
  type FinishReason,
  type Model,
  ModelError,
  type ModelRequest,
  NO_USAGE,
  type ToolCall,
  type Usage,
} from "@toycoder/core";
import type { DeltaBody, EventBody, Nested } from "./event.ts";

export type Emit = (body: (EventBody | DeltaBody) & Nested) => void;

/** One whole answer of the model. */
export interface Answer {
  parts: AssistantPart[];
  calls: ToolCall[];
  text: string;
  usage: Usage;
  /** USD; null where the price is not known. */
  costUsd: number | null;
  finish: FinishReason;
}

/**
 * Asks the model once. Deltas are emitted as they come, the whole parts when the answer is complete. Rejects with
 * the model's error, and with a ModelError `network` where the stream stops without a finish.
 */
export async function askModel(
  model: Model,
  request: ModelRequest,
  turn: number,
  signal: AbortSignal,
  emit: Emit,
): Promise<Answer> {
  let answer = new AnswerBuilder();
  for await (const event of untilAborted(model.stream(request, { signal }), signal)) {
    switch (event.type) {
      case "text":
        answer.addText(event.text);
        emit({ type: "text_delta", turn, text: event.text });
        break;
      case "reasoning":
        answer.addReasoning(event.text, event.data);
        if (event.text !== "") emit({ type: "reasoning_delta", turn, text: event.text });
        break;
      case "tool_call":
        answer.parts.push({ type: "tool_call", ...event.call });
        break;
      case "usage":
        answer.usage = event.usage;
        answer.costUsd = event.costUsd ?? null;
        break;
      case "retry":
        answer = new AnswerBuilder();
        emit({ ...event, turn });
        break;
      case "finish":
        answer.finish = event.reason;
        break;
      default:
    }
  }
  const { parts, usage, costUsd, finish } = answer;
  if (finish === undefined)
    throw new ModelError("network", "the model's answer ended before it was complete");
  const calls = parts.filter((part) => part.type === "tool_call");
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  emitWhole(parts, turn, emit);
  emit({ type: "usage", turn, ...usage, costUsd });
  return { parts, calls, text, usage, costUsd, finish };
}

/** The same events; throws the signal's reason at once when it aborts, also where the source takes no notice. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const events = source[Symbol.asyncIterator]();
  let fail: (reason: unknown) => void = () => undefined;
  const stop = (): void => fail(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        fail = reject;
        if (signal.aborted) stop();
        events.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Not awaited: a source that takes no notice of the signal would not come back from here either.
    void events.return?.().catch(() => undefined);
  }
}

class AnswerBuilder {
  readonly parts: AssistantPart[] = [];
  usage: Usage = NO_USAGE;
  costUsd: number | null = null;
  finish: FinishReason | undefined;

  addText(text: string): void {
    const last = this.parts.at(-1);
    if (last?.type === "text") last.text += text;
    else if (text !== "") this.parts.push({ type: "text", text });
  }

  addReasoning(text: string, data: Extract<AssistantPart, { type: "reasoning" }>["data"]): void {
    let last = this.parts.at(-1);
    if (last?.type !== "reasoning" || last.data !== undefined) {
      last = { type: "reasoning", text: "" };
      this.parts.push(last);
    }
    last.text += text;
    if (data !== undefined) last.data = data;
  }
}

function emitWhole(parts: readonly AssistantPart[], turn: number, emit: Emit): void {
  for (const part of parts) {
    if (part.type === "tool_call") {
      const { id, name, arguments: args, data } = part;
      emit({ type: "tool_call", turn, callId: id, name, arguments: args, ...(data && { data }) });
    } else {
      emit({ ...part, turn });
    }
  }
}
