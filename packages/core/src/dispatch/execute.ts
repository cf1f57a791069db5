import { ToolError } from "../errors.ts";
import type { Tool, ToolContext } from "../tool.ts";

export interface Deadline {
  signal: AbortSignal;
  /** Rejects when the limit passes or the outer signal aborts; never resolves. */
  reached: Promise<never>;
  clear: () => void;
}

/**
 * A signal that aborts `timeoutMs` from now or with `outer`, whichever comes first, and the ToolError (`timeout`
 * or `cancelled`) that says which. A tool that ignores the signal loses the race against `reached`.
 */
export function startDeadline(timeoutMs: number | false, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { promise: reached, reject } = Promise.withResolvers<never>();
  reached.catch(() => {});
  const end = (error: ToolError): void => {
    reject(error);
    controller.abort(error);
  };
  const cancel = (): void => end(cancelled());
  const expire = (): void =>
    end(new ToolError("timeout", `it did not finish within ${Number(timeoutMs) / 1000} s`));
  // Node takes longer delays for 1 ms.
  const timer = timeoutMs === false ? undefined : setTimeout(expire, Math.min(timeoutMs, 2_147_483_647));
  if (outer?.aborted === true) cancel();
  else outer?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    reached,
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", cancel);
    },
  };
}

export const cancelled = (): ToolError =>
  new ToolError("cancelled", "the call was cancelled before it finished");

/** Runs the tool against its deadline. Rejects with what the tool throws, or with the deadline's ToolError. */
export async function execute(
  tool: Tool,
  input: unknown,
  ctx: ToolContext,
  deadline: Deadline,
): Promise<unknown> {
  if (deadline.signal.aborted) return deadline.reached;
  const running = Promise.resolve(tool.execute(input, ctx));
  // A rejection after the deadline has nobody left to handle it.
  running.catch(() => {});
  return Promise.race([running, deadline.reached]);
}
