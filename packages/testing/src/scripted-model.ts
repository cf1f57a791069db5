import {
  type FinishReason,
  type Model,
  type ModelEvent,
  type ModelRequest,
  NO_USAGE,
  type ToolCall,
  type Usage,
} from "@toycoder/core";

/** One answer of a scripted model. Calls get ids (`call_TURN_INDEX`) where they have none. */
export interface ScriptedTurn {
  text?: string;
  reasoning?: string;
  calls?: readonly { name: string; arguments: ToolCall["arguments"]; id?: string }[];
  /** Default: `tool_calls` where there are calls, else `stop`. */
  finish?: FinishReason;
  usage?: Partial<Usage>;
  costUsd?: number;
  /** Thrown instead of the answer. */
  error?: unknown;
}

/** Plays turns in order and keeps the requests that it got. A request beyond the script's end is an error. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** A turn may also be worked out from the request it answers. */
export type ScriptedTurnOrMaker =
  | ScriptedTurn
  | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>);

/** A model that answers with the given turns, one after the other, and keeps the requests. */
export function scriptedModel(
  turns: readonly ScriptedTurnOrMaker[],
  facts: Partial<Omit<Model, "stream">> = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: "scripted:test",
    ...facts,
    requests,
    async *stream(request, { signal }): AsyncGenerator<ModelEvent> {
      const index = requests.length;
      requests.push({ ...request, messages: structuredClone(request.messages) });
      signal.throwIfAborted();
      const next = turns[index];
      if (next === undefined)
        throw new Error(`the script has ${turns.length} turns; turn ${index + 1} was asked for`);
      const turn = typeof next === "function" ? await next(request) : next;
      if (turn.error !== undefined) throw turn.error;
      if (turn.reasoning !== undefined) yield { type: "reasoning", text: turn.reasoning };
      if (turn.text !== undefined) yield { type: "text", text: turn.text };
      const calls = turn.calls ?? [];
      for (const [at, call] of calls.entries()) {
        yield { type: "tool_call", call: { ...call, id: call.id ?? `call_${index}_${at}` } };
      }
      const cost = turn.costUsd !== undefined && { costUsd: turn.costUsd };
      yield { type: "usage", usage: { ...NO_USAGE, ...turn.usage }, ...cost };
      yield { type: "finish", reason: turn.finish ?? (calls.length > 0 ? "tool_calls" : "stop") };
    },
  };
}
