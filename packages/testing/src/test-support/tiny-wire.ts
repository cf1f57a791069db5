import {
  argumentsObject,
  brokenOff,
  callModel,
  createCallIds,
  fields,
  isRecord,
  listOf,
} from "@toycoder/core/wire";
import { StreamFault, stringOr, validHistory } from "@toycoder/core/wire";
import type { FinishReason, Message, Model, ModelEvent, ModelRequest, Usage } from "@toycoder/core";
import type { ContractAnswer, FaultKind, ModelWire, SentPart } from "../model-contract/subject.ts";

type Event = Readonly<Record<string, unknown>>;

/** What a third party may get wrong. */
export interface Flaws {
  /** The history goes out as it is. */
  rawHistory?: boolean;
  /** A stream without its end is taken for an answer. */
  trusting?: boolean;
  /** The key is not kept out of messages. */
  talkative?: boolean;
  retries?: number;
}

/** A provider's protocol as small as the contract allows, and a model for it as a third party would write one. */
export function tinyWire(flaws: Flaws = {}): ModelWire {
  return {
    model: ({ origin, apiKey, retries, idleTimeoutMs }): Model => ({
      id: "tiny:test",
      stream: (request, { signal }) =>
        callModel<Event>(
          {
            send: (attempt) => send(origin, apiKey, bodyOf(request, flaws), attempt),
            events: (response) => dataOf(response),
            unfold: (answer) =>
              isRecord(answer) && answer.error !== undefined ? [answer] : (listOf(answer) as Event[]),
            decode: (events) => decode(events, request, flaws),
          },
          {
            signal,
            settings: { retries: flaws.retries ?? retries, ...(idleTimeoutMs && { idleTimeoutMs }) },
            failure: { provider: "Tiny", baseURL: origin, secrets: flaws.talkative ? [] : [apiKey] },
          },
        ),
    }),
    events: (answer) => eventsOf(answer, (text) => [...text]),
    json: (answer) => eventsOf(answer, (text) => [text]),
    variants: (answer) => ({ "one piece": eventsOf(answer, (text) => [text]) }),
    completes: (event) => fields(event).type === "end",
    fault,
    overflows: [{ status: 400, body: { error: { message: "prompt is too long" } } }],
    sent: (body) => body as unknown as ReturnType<ModelWire["sent"]>,
  };
}

const STATUS: Readonly<Record<FaultKind, number>> = {
  auth: 401,
  forbidden: 403,
  rate_limit: 429,
  overloaded: 503,
  server_error: 500,
  invalid_request: 400,
  context_overflow: 413,
};

function fault(kind: FaultKind, message: string): ReturnType<ModelWire["fault"]> {
  const error = { error: { code: STATUS[kind], message } };
  return { status: STATUS[kind], body: error, event: error };
}

function eventsOf(answer: ContractAnswer, pieces: (text: string) => string[]): Event[] {
  const { text, refusal, calls = [], stop, usage } = answer;
  const reason = stop ?? (refusal === undefined ? (calls.length > 0 ? "tool_calls" : "stop") : "refusal");
  return [
    { type: "start" },
    ...pieces(text ?? refusal ?? "").map((piece) => ({ type: "text", text: piece })),
    ...calls.flatMap(({ id, name, arguments: json }) => [
      { type: "call", id, name },
      ...pieces(json).map((piece) => ({ type: "arguments", text: piece })),
    ]),
    { type: "end", reason, usage },
  ];
}

async function send(origin: string, key: string, body: unknown, signal: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json", "x-key": key };
  const response = await fetch(origin, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (response.ok) return response;
  const text = await response.text();
  const error: unknown = text.startsWith("{") ? fields(JSON.parse(text)).error : text;
  const { status, headers: answered } = response;
  throw Object.assign(new Error(text), { status, error, headers: answered });
}

function bodyOf({ instructions, messages, tools }: ModelRequest, flaws: Flaws): object {
  const history = flaws.rawHistory ? messages : validHistory(messages, { callId: /^[\w-]{1,64}$/ });
  return { instructions, tools: tools.map(({ name }) => alias(name)), parts: history.flatMap(partsOf) };
}

const alias = (name: string): string => (/^[\w-]{1,128}$/.test(name) ? name : `alias_${name.length}`);

function partsOf(message: Message): SentPart[] {
  if (message.role === "tool") {
    return message.results.flatMap(({ callId, content }) => [
      {
        type: "tool_result",
        callId,
        text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
      },
      ...content.filter((part) => part.type === "image"),
    ]);
  }
  const { role } = message;
  return message.content.flatMap((part): SentPart[] => {
    if (part.type === "text") return [{ type: "text", role, text: part.text }];
    if (part.type === "image") return [part];
    if (part.type === "reasoning") return [];
    const { type, id, name } = part;
    return [{ type, id, name: alias(name), arguments: argumentsObject(part) }];
  });
}

/** The JSON of each `data` line: no event of this protocol has two. */
async function* dataOf(response: Response): AsyncGenerator<Event, void, undefined> {
  let rest = "";
  const parsed = (line: string): Event[] =>
    line.startsWith("data:") ? [JSON.parse(line.slice(5)) as Event] : [];
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += piece;
    if (!piece.includes("\n")) continue;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* parsed(line);
  }
  yield* parsed(rest);
}

async function* decode(
  events: AsyncIterable<Event>,
  { tools }: ModelRequest,
  flaws: Flaws,
): AsyncGenerator<ModelEvent, void, undefined> {
  const calls: { id: unknown; name: string; json: string }[] = [];
  const callId = createCallIds();
  let end: Event | undefined;
  for await (const event of events) {
    if (event.error !== undefined) throw new StreamFault(event.error);
    if (event.type === "text") yield { type: "text", text: stringOr(event.text, "") };
    if (event.type === "call") calls.push({ id: event.id, name: stringOr(event.name, ""), json: "" });
    const last = calls.at(-1);
    if (event.type === "arguments" && last) last.json += stringOr(event.text, "");
    if (event.type === "end") end = event;
  }
  if (end === undefined && !flaws.trusting) throw brokenOff();
  const reason = stringOr(end?.reason, "stop") as FinishReason;
  for (const { id, name, json } of calls.filter((call) => reason !== "length" || call.json.endsWith("}"))) {
    const own = tools.find((tool) => alias(tool.name) === name)?.name ?? name;
    yield { type: "tool_call", call: { id: callId(id), name: own, arguments: json === "" ? {} : json } };
  }
  if (end?.usage !== undefined) yield { type: "usage", usage: end.usage as Usage };
  yield { type: "finish", reason };
}
