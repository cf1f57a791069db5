import { type FinishReason, messageOf, type ProviderData, SetupError, type Usage } from "@toycoder/core";
import { type CassetteLine, readLines } from "./cassette-lines.ts";

/** How a recorded call came out, and the line of the file that says so. */
export interface RecordedOutcome {
  ok: boolean;
  code?: string;
  line: number;
}

/** A call as recorded, and how it came out: null where the recording ends before its result. */
export interface RecordedCall {
  callId: string;
  name: string;
  arguments: string | Readonly<Record<string, unknown>>;
  outcome: RecordedOutcome | null;
}

/** A part of a recorded answer. */
export type RecordedPart =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string; data?: ProviderData }
  | { type: "tool_call"; call: RecordedCall };

/** One model turn: what was offered, what the model answered, and what came of its calls. */
export interface RecordedTurn {
  /** The line of the file that it starts at, from 1. */
  line: number;
  /** Its number in the session. */
  turn?: number;
  /** In a session: the call that started the subagent whose turn it is. */
  parent?: string;
  tools: readonly string[];
  parts: RecordedPart[];
  usage?: Usage;
  costUsd?: number;
  /** Absent where the recording breaks off within the turn. */
  finish?: FinishReason;
}

/** Reads the cassette in a file. Fails like {@link parseCassette}, and where the file cannot be read. */
export const readCassette = (file: string): RecordedTurn[] => parseLines(readLines(file), file);

/**
 * Reads a cassette: JSON Lines, the model turns of a session (`turn_start`, `reasoning`, `text`, `tool_call`,
 * `usage`, `tool_result`, `turn_end`); lines of other types are passed over, so a session file is one as it is.
 * Throws a SetupError `cassette_invalid` with file and line.
 */
export function parseCassette(source: string, file: string): RecordedTurn[] {
  const texts = source.replace(/^\uFEFF/, "").split("\n");
  const last = texts.length - 1;
  return parseLines(
    texts.map((text, index) => ({ text, number: index + 1, whole: index < last })),
    file,
  );
}

function parseLines(lines: Iterable<CassetteLine>, file: string): RecordedTurn[] {
  const turns: RecordedTurn[] = [];
  for (const line of lines) {
    if (line.text.trim() === "") continue;
    const place = `${file}:${line.number}`;
    readLine(parseLine(line, place), turns, place, line.number);
  }
  if (turns.length === 0) throw invalid(file, "it holds no turn");
  return turns;
}

type Line = { type: string } & Record<string, unknown>;

function parseLine({ text, whole }: CassetteLine, place: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(place, whole ? messageOf(error) : "the file breaks off in the middle of this line");
  }
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") {
    throw invalid(place, 'a line is an object with a "type"');
  }
  if ("v" in value && value.v !== 1) {
    const newer = typeof value.v === "number" && value.v > 1;
    throw new SetupError(
      "cassette_invalid",
      `${place}: format version ${JSON.stringify(value.v)} is not known here; this version reads 1`,
      { hint: newer ? "it was recorded by a newer ToyCoder: update this one" : RECORD_ANEW },
    );
  }
  return value as Line;
}

function readLine(line: Line, turns: RecordedTurn[], place: string, number: number): void {
  const parent = typeof line["parent"] === "string" ? line["parent"] : undefined;
  const last = turns.findLast((turn) => turn.parent === parent);
  if (line.type === "turn_start") {
    const { tools } = line;
    if (!Array.isArray(tools)) throw invalid(place, "turn_start needs the list of tools");
    const turn = typeof line["turn"] === "number" ? line["turn"] : undefined;
    // The answer was cut off, and asked for again when the session went on.
    if (turn !== undefined && last?.turn === turn && last.finish === undefined) {
      turns.splice(turns.indexOf(last), 1);
    }
    const at = { line: number, ...(turn !== undefined && { turn }), ...(parent !== undefined && { parent }) };
    turns.push({ ...at, tools: tools.map(String), parts: [] });
    return;
  }
  // What a session used for something else than an answer has a purpose.
  if (!TURN_LINES.has(line.type) || line["purpose"] !== undefined) return;
  if (last === undefined) throw invalid(place, `${line.type} comes before the first turn_start`);
  switch (line.type) {
    case "text":
    case "reasoning":
      last.parts.push({ type: line.type, text: stringOf(line, "text", place), ...dataOf(line) });
      break;
    case "tool_call":
      last.parts.push({ type: "tool_call", call: callOf(line, last, place) });
      break;
    case "tool_result":
      setOutcome(last, line, place, number);
      break;
    case "usage":
      last.usage = usageOf(line);
      if (typeof line["costUsd"] === "number") last.costUsd = line["costUsd"];
      break;
    default:
      last.finish = finishOf(line, place);
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

const FINISHES: readonly FinishReason[] = ["stop", "tool_calls", "length", "refusal"];

function finishOf(line: Line, place: string): FinishReason {
  const finish = FINISHES.find((known) => known === line["finish"]);
  if (finish === undefined) throw invalid(place, `turn_end needs a finish: ${FINISHES.join(", ")}`);
  return finish;
}

const callsOf = (turn: RecordedTurn): RecordedCall[] =>
  turn.parts.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));

function callOf(line: Line, turn: RecordedTurn, place: string): RecordedCall {
  const given = line["arguments"];
  if (typeof given !== "string" && (typeof given !== "object" || given === null)) {
    throw invalid(place, "tool_call needs its arguments");
  }
  const callId = stringOf(line, "callId", place);
  if (callsOf(turn).some((call) => call.callId === callId)) {
    throw invalid(place, `the call id ${callId} comes twice in this turn`);
  }
  return {
    callId,
    name: stringOf(line, "name", place),
    arguments: given as RecordedCall["arguments"],
    outcome: null,
  };
}

function setOutcome(turn: RecordedTurn, line: Line, place: string, number: number): void {
  const id = stringOf(line, "callId", place);
  const call = callsOf(turn).find(({ callId }) => callId === id);
  if (call === undefined) throw invalid(place, `tool_result of ${id}, which this turn did not call`);
  const { code } = line;
  // Nobody knows how the call came out: the session was cut off.
  if (code === "uncertain") return;
  call.outcome = { ok: line["ok"] === true, ...(typeof code === "string" && { code }), line: number };
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

const RECORD_ANEW = "record it anew with --record";

const invalid = (place: string, problem: string): SetupError =>
  new SetupError("cassette_invalid", `${place}: ${problem}`, { hint: RECORD_ANEW });
