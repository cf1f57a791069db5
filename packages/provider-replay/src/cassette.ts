import { type FinishReason, messageOf, type ProviderData, SetupError, type Usage } from "@toycoder/core";

/** A call as recorded, and how it came out: null where the recording ends before its result. */
export interface RecordedCall {
  callId: string;
  name: string;
  arguments: string | Readonly<Record<string, unknown>>;
  outcome: { ok: boolean; code?: string } | null;
}

export type RecordedPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; data?: ProviderData }
  | { type: "tool_call"; call: RecordedCall };

/** One model turn: what was offered, what the model answered, and what came of its calls. */
export interface RecordedTurn {
  /** The line of the file that it starts at, from 1. */
  line: number;
  tools: readonly string[];
  parts: RecordedPart[];
  usage?: Usage;
  finish?: FinishReason;
}

/**
 * Reads a cassette: JSON Lines, the model turns of a session (`turn_start`, `reasoning`, `text`, `tool_call`,
 * `usage`, `tool_result`, `turn_end`); lines of other types are passed over, so a session file is one as it is.
 * Throws a SetupError `cassette_invalid` with file and line.
 */
export function parseCassette(source: string, file: string): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (const [index, text] of source.split("\n").entries()) {
    if (text.trim() === "") continue;
    readLine(parseLine(text, `${file}:${index + 1}`), turns, `${file}:${index + 1}`, index + 1);
  }
  if (turns.length === 0) throw invalid(file, "it holds no turn");
  return turns;
}

type Line = { type: string } & Record<string, unknown>;

function parseLine(text: string, place: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(place, messageOf(error));
  }
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") {
    throw invalid(place, 'a line is an object with a "type"');
  }
  if ("v" in value && value.v !== 1) {
    throw invalid(place, `format version ${String(value.v)} is not known here; this version reads 1`);
  }
  return value as Line;
}

function readLine(line: Line, turns: RecordedTurn[], place: string, number: number): void {
  if (line.type === "turn_start") {
    const { tools } = line;
    if (!Array.isArray(tools)) throw invalid(place, "turn_start needs the list of tools");
    turns.push({ line: number, tools: tools.map(String), parts: [] });
    return;
  }
  if (!TURN_LINES.has(line.type)) return;
  const turn = turns.at(-1);
  if (turn === undefined) throw invalid(place, `${line.type} comes before the first turn_start`);
  switch (line.type) {
    case "text":
    case "reasoning":
      turn.parts.push({ type: line.type, text: stringOf(line, "text", place), ...dataOf(line) });
      break;
    case "tool_call":
      turn.parts.push({ type: "tool_call", call: callOf(line, place) });
      break;
    case "tool_result":
      setOutcome(turn, line, place);
      break;
    case "usage":
      turn.usage = usageOf(line);
      break;
    default:
      turn.finish = line["finish"] as FinishReason;
  }
}

const TURN_LINES: ReadonlySet<string> = new Set([
  "text",
  "reasoning",
  "tool_call",
  "tool_result",
  "usage",
  "turn_end",
]);

function callOf(line: Line, place: string): RecordedCall {
  const given = line["arguments"];
  if (typeof given !== "string" && (typeof given !== "object" || given === null)) {
    throw invalid(place, "tool_call needs its arguments");
  }
  const name = stringOf(line, "name", place);
  return {
    callId: stringOf(line, "callId", place),
    name,
    arguments: given as RecordedCall["arguments"],
    outcome: null,
  };
}

function setOutcome(turn: RecordedTurn, line: Line, place: string): void {
  const id = stringOf(line, "callId", place);
  const part = turn.parts.find((one) => one.type === "tool_call" && one.call.callId === id);
  if (part?.type !== "tool_call") throw invalid(place, `tool_result of ${id}, which this turn did not call`);
  const { code } = line;
  part.call.outcome = { ok: line["ok"] === true, ...(typeof code === "string" && { code }) };
}

const dataOf = (line: Line): { data?: ProviderData } =>
  line["data"] === undefined ? {} : { data: line["data"] as ProviderData };

function usageOf(line: Line): Usage {
  const count = (key: keyof Usage): number => (typeof line[key] === "number" ? line[key] : 0);
  return {
    inputTokens: count("inputTokens"),
    outputTokens: count("outputTokens"),
    cacheReadTokens: count("cacheReadTokens"),
    cacheWriteTokens: count("cacheWriteTokens"),
    reasoningTokens: count("reasoningTokens"),
  };
}

function stringOf(line: Line, key: string, place: string): string {
  const value = line[key];
  if (typeof value !== "string") throw invalid(place, `${line.type} needs a text ${key}`);
  return value;
}

const invalid = (place: string, problem: string): SetupError =>
  new SetupError("cassette_invalid", `${place}: ${problem}`, { hint: "record it anew with --record" });
