import { errorInfo, isModelError, type ModelError, SetupError } from "../errors.ts";
import type { AssistantPart, Message } from "../message.ts";
import type { Model, ModelEvent, ModelOptions, ModelRequest } from "../model.ts";
import type { ModelPrices } from "../model-prices.ts";

/**
 * A model that goes on with `second` once `first` has failed for good because it is overloaded or its rate limit
 * is reached. Every other failure, and an abort, is thrown as it is. The change is told by a `retry` event that
 * names both (what was streamed is void), and from then on `id`, `contextWindow` and `maxOutputTokens` are those
 * of `second`.
 *
 * It is for one conversation, and there is no way back within it: `first` has been retried for as long as it may
 * be, and each change loses the prompt cache and the reasoning so far. What `first` wanted back untouched is not
 * sent to `second`, not even where both are of one provider: signatures and encrypted reasoning hold for the model
 * and the account that made them. To chain more than two, `second` may have a fallback of its own.
 *
 * `prices` are there only where both models' are, so that a caller can tell beforehand whether all of a
 * conversation's cost will be known. Throws a SetupError `invalid_model` for a model as its own fallback.
 */
export function withFallback(first: Model, second: Model): Model {
  if (first === second) {
    throw new SetupError("invalid_model", `${first.id} cannot be its own fallback`, {
      hint: "name another model, or the same one at another server",
    });
  }
  return new FallbackModel(first, second);
}

class FallbackModel implements Model {
  readonly #first: Model;
  readonly #second: Model;
  /** The messages that `second` did not write. */
  readonly #foreign = new WeakSet<Message>();
  #changed = false;

  constructor(first: Model, second: Model) {
    this.#first = first;
    this.#second = second;
  }

  get #active(): Model {
    return this.#changed ? this.#second : this.#first;
  }

  get id(): string {
    return this.#active.id;
  }

  get contextWindow(): number | undefined {
    return this.#active.contextWindow;
  }

  get maxOutputTokens(): number | undefined {
    return this.#active.maxOutputTokens;
  }

  get prices(): ModelPrices | undefined {
    const { prices: first } = this.#first;
    const { prices: second } = this.#second;
    return first === undefined || second === undefined ? undefined : this.#active.prices;
  }

  async *stream(request: ModelRequest, options: ModelOptions): AsyncGenerator<ModelEvent, void, undefined> {
    if (!this.#changed) {
      let attempts = 1;
      try {
        for await (const event of this.#first.stream(request, options)) {
          if (event.type === "retry") attempts++;
          yield event;
        }
        return;
      } catch (thrown) {
        options.signal.throwIfAborted();
        if (!isModelError(thrown) || !CHANGING.has(thrown.kind)) throw thrown;
        this.#change(request);
        yield this.#told(thrown, attempts);
      }
    }
    const messages = request.messages.map((message) =>
      this.#foreign.has(message) ? withoutData(message) : message,
    );
    yield* this.#second.stream({ ...request, messages }, options);
  }

  #change({ messages }: ModelRequest): void {
    this.#changed = true;
    for (const message of messages) this.#foreign.add(message);
  }

  #told({ kind, message, hint }: ModelError, attempt: number): ModelEvent {
    const told = `${this.#first.id} failed for good, going on with ${this.#second.id}: ${message}`;
    return { type: "retry", attempt, delayMs: 0, error: errorInfo(kind, told, hint) };
  }
}

const CHANGING: ReadonlySet<string> = new Set(["overloaded", "rate_limit"]);

function withoutData(message: Message): Message {
  if (message.role !== "assistant") return message;
  return { ...message, content: message.content.map(bare) };
}

function bare(part: AssistantPart): AssistantPart {
  if (part.type === "text") return part;
  const { data: _, ...rest } = part;
  return rest;
}
