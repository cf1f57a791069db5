import { ToolError } from "../errors.ts";

/**
 * The time limit and cancellation of one call. Timer and signal are made when they are first needed: a tool that
 * answers at once pays for neither.
 */
export class Deadline {
  readonly #timeoutMs: number | false;
  readonly #outer: AbortSignal | undefined;
  readonly #cancel = (): void => this.#end(cancelled());
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reject: ((error: ToolError) => void) | undefined;
  #ended: ToolError | undefined;

  constructor(timeoutMs: number | false, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#outer = outer;
  }

  /** Aborts at the limit and when the outer signal does; its reason is the ToolError that says which. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#watch();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    }
    return this.#controller.signal;
  }

  /**
   * Resolves or rejects with `work`, or rejects with the ToolError `timeout` or `cancelled` where the limit or the
   * outer signal comes first: also for work that ignores the signal. Its later rejection goes nowhere.
   */
  race<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
      this.#watch();
      if (this.#ended !== undefined) reject(this.#ended);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#cancel);
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#ended !== undefined) return;
    if (this.#outer?.aborted === true) return this.#cancel();
    this.#outer?.addEventListener("abort", this.#cancel, { once: true });
    if (this.#timeoutMs === false) return;
    const expire = (): void => {
      this.#end(new ToolError("timeout", `it did not finish within ${Number(this.#timeoutMs) / 1000} s`));
    };
    // Node takes longer delays for 1 ms.
    this.#timer = setTimeout(expire, Math.min(this.#timeoutMs, 2_147_483_647));
  }

  #end(error: ToolError): void {
    this.#ended ??= error;
    this.#controller?.abort(this.#ended);
    this.#reject?.(this.#ended);
  }
}

export const cancelled = (): ToolError =>
  new ToolError("cancelled", "the call was cancelled before it finished");
