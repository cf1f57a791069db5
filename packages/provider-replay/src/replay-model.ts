import {
  type Model,
  type ModelEvent,
  type ModelPrices,
  type ModelRequest,
  NO_USAGE,
  SetupError,
  type ToolResultPart,
} from "@toycoder/core";
import { readCassette, type RecordedTurn } from "./cassette.ts";
import { type Departure, describeDeparture } from "./departure.ts";

/** How a cassette is played. */
export interface ReplayOptions {
  /** Told of each departure, in words. With it a departure is no error: the recorded turns go on. */
  onDeparture?: (departure: string) => void;
}

/**
 * A model that plays a cassette against the real tools. Where the run departs from the recording (other tools are
 * offered, a call comes out with another code) the stream throws a SetupError `replay_mismatch` with both sides,
 * or tells `onDeparture`. It always throws where the recording ends before the run. Texts are not compared: paths,
 * dates and durations differ. A turn's cost is the recorded one. Throws a SetupError `cassette_invalid` at once for
 * a file that is no cassette.
 */
export function replayModel(file: string, options: ReplayOptions = {}): Model {
  return new ReplayModel(file, readCassette(file), options);
}

class ReplayModel implements Model {
  readonly id: string;
  /** Nobody is paid for a replay, so a limit of cost can be kept; a turn's cost is what the recording's was. */
  readonly prices: ModelPrices = { input: 0, output: 0 };
  readonly #file: string;
  readonly #turns: readonly RecordedTurn[];
  readonly #onDeparture: ReplayOptions["onDeparture"];
  #next = 0;

  constructor(file: string, turns: readonly RecordedTurn[], { onDeparture }: ReplayOptions) {
    this.id = `replay:${file}`;
    this.#file = file;
    this.#turns = turns;
    this.#onDeparture = onDeparture;
  }

  async *stream(request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    if (this.#next === 0) this.#next = this.#firstTurn(request);
    const played = this.#turns.slice(0, this.#next);
    const before = played.findLast(({ parent }) => parent === this.#turns[this.#next]?.parent);
    if (before !== undefined) this.#compareOutcomes(before, request);
    const turn = this.#takeTurn();
    this.#compareTools(turn, request);
    this.#next++;
    for (const part of turn.parts) {
      if (part.type === "tool_call") {
        const { callId: id, name, arguments: args } = part.call;
        yield { type: "tool_call", call: { id, name, arguments: args } };
      } else {
        yield part;
      }
    }
    const { usage = NO_USAGE, costUsd, finish = "stop" } = turn;
    yield { type: "usage", usage, ...(costUsd !== undefined && { costUsd }) };
    yield { type: "finish", reason: finish };
  }

  /** In a session that goes on, the recording of the whole session goes on, too; one of its own begins. */
  #firstTurn({ messages }: ModelRequest): number {
    const answered = messages.filter(({ role }) => role === "assistant").length;
    const index = this.#turns.findIndex(({ turn }) => turn === answered + 1);
    return answered === 0 || index === -1 ? 0 : index;
  }

  #takeTurn(): RecordedTurn {
    const turn = this.#turns[this.#next];
    if (turn === undefined) {
      throw this.#mismatch({
        turn: this.#next + 1,
        what: "the recording is at its end",
        line: undefined,
        recorded: `after turn ${this.#turns.length}`,
        now: "the run asks for one more turn",
      });
    }
    if (turn.finish === undefined) {
      const message = `${this.#file}:${turn.line}: turn ${this.#next + 1} was not recorded to its end (it has no turn_end)`;
      throw new SetupError("cassette_invalid", message, { hint: "record it anew with --record" });
    }
    return turn;
  }

  #compareTools(turn: RecordedTurn, { tools }: ModelRequest): void {
    const recorded = turn.tools.toSorted();
    const offered = tools.map((tool) => tool.name).toSorted();
    const lacking = recorded.filter((name) => !offered.includes(name));
    const added = offered.filter((name) => !recorded.includes(name));
    if (lacking.length + added.length === 0) return;
    const differences = [
      ...(lacking.length > 0 ? [`without ${lacking.join(", ")}`] : []),
      ...(added.length > 0 ? [`with ${added.join(", ")}`] : []),
    ];
    this.#depart({
      turn: this.#next + 1,
      what: `the tools are offered ${differences.join(" and ")}`,
      line: turn.line,
      recorded: `offers ${recorded.join(", ") || "no tools"}`,
      now: `offers ${offered.join(", ") || "no tools"}`,
    });
  }

  #compareOutcomes(turn: RecordedTurn, { messages }: ModelRequest): void {
    const calls = turn.parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
    const last = messages.findLast((message) => message.role === "tool");
    for (const [index, { callId, name, outcome }] of calls.entries()) {
      if (outcome === null) continue;
      const result = last?.results.find((one) => one.callId === callId);
      const [recorded, now] = [comeOut(outcome), comeOut(result)];
      if (recorded === now) continue;
      this.#depart({
        turn: this.#turns.indexOf(turn) + 1,
        what: `call ${index + 1} came out otherwise`,
        line: outcome.line,
        recorded: `${name} → ${recorded}`,
        now: `${name} → ${now}${firstLine(result)}`,
      });
    }
  }

  #depart(departure: Departure): void {
    if (this.#onDeparture === undefined) throw this.#mismatch(departure);
    this.#onDeparture(describeDeparture(this.#file, departure));
  }

  #mismatch(departure: Departure): SetupError {
    const message = describeDeparture(this.#file, departure);
    return new SetupError("replay_mismatch", message, {
      hint: "if the change is meant, record the cassette anew with --record",
    });
  }
}

function comeOut(result: { ok: boolean; code?: string } | undefined): string {
  if (result === undefined) return "no result";
  return result.ok ? "ok" : (result.code ?? "failed");
}

function firstLine(result: ToolResultPart | undefined): string {
  const part = result?.content.find((one) => one.type === "text");
  return part?.type === "text" ? ` (${part.text.split("\n", 1)[0]?.slice(0, 200)})` : "";
}
