import { readFileSync } from "node:fs";
import {
  messageOf,
  type Model,
  type ModelEvent,
  type ModelRequest,
  NO_USAGE,
  SetupError,
  type ToolResultPart,
} from "@toycoder/core";
import { parseCassette, type RecordedCall, type RecordedTurn } from "./cassette.ts";

/**
 * A model that plays a cassette against the real tools. Where the run departs from the recording (other tools are
 * offered, a call comes out with another code) the stream throws a SetupError `replay_mismatch` with both sides.
 * Texts are not compared: paths, dates and durations differ.
 */
export function replayModel(file: string): Model {
  return new ReplayModel(file, parseCassette(readCassette(file), file));
}

function readCassette(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SetupError("cassette_invalid", `the cassette ${file} cannot be read: ${messageOf(error)}`);
  }
}

class ReplayModel implements Model {
  readonly id: string;
  readonly #file: string;
  readonly #turns: readonly RecordedTurn[];
  #next = 0;

  constructor(file: string, turns: readonly RecordedTurn[]) {
    this.id = `replay:${file}`;
    this.#file = file;
    this.#turns = turns;
  }

  async *stream(request: ModelRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const before = this.#turns[this.#next - 1];
    const turn = this.#turns[this.#next];
    if (before !== undefined) this.#compareOutcomes(before, request);
    if (turn === undefined) {
      throw this.#departure(
        `it ends after turn ${this.#turns.length}`,
        "the run asks for one more turn",
        before?.line,
      );
    }
    this.#compareTools(turn, request);
    this.#next++;
    let calls = 0;
    for (const part of turn.parts) {
      if (part.type === "tool_call") {
        calls++;
        yield {
          type: "tool_call",
          call: { id: part.call.callId, name: part.call.name, arguments: part.call.arguments },
        };
      } else {
        yield part;
      }
    }
    yield { type: "usage", usage: turn.usage ?? NO_USAGE };
    yield { type: "finish", reason: turn.finish ?? (calls > 0 ? "tool_calls" : "stop") };
  }

  #compareTools(turn: RecordedTurn, { tools }: ModelRequest): void {
    const recorded = turn.tools.toSorted().join(", ");
    const offered = tools
      .map((tool) => tool.name)
      .toSorted()
      .join(", ");
    if (recorded !== offered)
      throw this.#departure(`offers ${recorded}`, `this run offers ${offered}`, turn.line);
  }

  #compareOutcomes(turn: RecordedTurn, { messages }: ModelRequest): void {
    const calls = turn.parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
    const last = messages.findLast((message) => message.role === "tool");
    for (const [index, call] of calls.entries()) {
      const result = last?.results.find((one) => one.callId === call.callId);
      const recorded = describeRecorded(call);
      const found = describeResult(call, result);
      if (call.outcome !== null && recorded !== found) {
        throw this.#departure(
          `call ${index + 1}: ${recorded}`,
          `this run: ${found}${firstLine(result)}`,
          turn.line,
        );
      }
    }
  }

  #departure(recorded: string, now: string, line: number | undefined): SetupError {
    const place = `${this.#file}${line === undefined ? "" : `:${line}`}`;
    const message = `the run departs from the cassette ${place}, turn ${this.#next + 1}\n  cassette: ${recorded}\n  now:      ${now}`;
    return new SetupError("replay_mismatch", message, {
      hint: "if the change is meant, record the cassette anew with --record",
    });
  }
}

const describeRecorded = ({ name, outcome }: RecordedCall): string =>
  `${name} → ${outcome?.ok === true ? "ok" : (outcome?.code ?? "failed")}`;

function describeResult({ name }: RecordedCall, result: ToolResultPart | undefined): string {
  if (result === undefined) return `${name} → no result`;
  return `${name} → ${result.ok ? "ok" : (result.code ?? "failed")}`;
}

function firstLine(result: ToolResultPart | undefined): string {
  const part = result?.content.find((one) => one.type === "text");
  return part?.type === "text" ? ` (${part.text.split("\n", 1)[0]?.slice(0, 200)})` : "";
}
