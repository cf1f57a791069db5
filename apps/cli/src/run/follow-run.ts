import type { AgentEvent, RunResult } from "@toycoder/agent";
import { holdYoungGeneration } from "./hold-young-generation.ts";

/**
 * Gives a run's events to `take`, to be kept and shown, and resolves to the result as `take` gives it back. Where it
 * throws, what can't be kept ends the run: `stop` is aborted, the tools are stopped, and then it is thrown.
 */
export async function followRun(
  events: AsyncIterable<AgentEvent>,
  stop: AbortController,
  take: (event: AgentEvent) => AgentEvent,
): Promise<RunResult> {
  let result: RunResult | undefined;
  let failure: { error: unknown } | undefined;
  for await (const sent of events) {
    try {
      if (failure !== undefined) continue;
      // Not before: what a start makes fills the space quickly, and stays.
      if (sent.type === "turn_start" && sent.turn === 2) holdYoungGeneration();
      const event = take(sent);
      if (event.type === "result") result = event.result;
    } catch (error) {
      failure = { error };
      stop.abort(error);
    }
  }
  if (failure !== undefined) throw failure.error;
  if (result === undefined) throw new Error("the agent ended without a result");
  return result;
}
