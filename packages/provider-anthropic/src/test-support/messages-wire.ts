import { fields, listOf, stringOr } from "@toycoder/core/wire";
import type {
  ContractAnswer,
  FaultKind,
  ModelWire,
  SentPart,
  WireFault,
  WireSubject,
} from "@toycoder/testing";
import { anthropic } from "../model.ts";

type Fields = Readonly<Record<string, unknown>>;

const SIGNED = { type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" };
const REDACTED = { type: "redacted_thinking", data: "ZW5jcnlwdGVk" };
const SILENT = { type: "thinking", thinking: "", signature: "c2lnbmVk" };

/** `type` and status as in Anthropic's documentation, Errors. */
const ERRORS: Readonly<Record<FaultKind, readonly [status: number, type: string]>> = {
  auth: [401, "authentication_error"],
  forbidden: [403, "permission_error"],
  rate_limit: [429, "rate_limit_error"],
  overloaded: [529, "overloaded_error"],
  server_error: [500, "api_error"],
  invalid_request: [400, "invalid_request_error"],
  context_overflow: [413, "request_too_large"],
};

const errorOf = (type: string, message: string): Fields => ({ type: "error", error: { type, message } });

function fault(kind: FaultKind, message: string): WireFault {
  const [status, type] = ERRORS[kind];
  return { status, body: errorOf(type, message), event: errorOf(type, message) };
}

/** The Messages API for the model contract: object shapes of Anthropic's API reference and streaming guide. */
const wire: ModelWire = {
  model: ({ origin, ...settings }) => anthropic({ model: "claude-test", baseURL: origin, ...settings }),
  events: (answer) => message(blocksOf(answer).flatMap(inPieces), answer),
  json: (answer) => ({
    ...head(answer),
    content: blocksOf(answer),
    stop_reason: stopOf(answer),
    usage: usageOf(answer),
  }),
  variants,
  completes: (event) => fields(event).type === "message_stop",
  fault,
  overflows: [
    [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
    [
      400,
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    ],
    [413, "request_too_large", "Request exceeds the maximum size"],
    [413, "invalid_request_error", "Request size exceeds model context window"],
  ].map(([status, type, said]) => ({
    status: Number(status),
    body: errorOf(String(type), String(said)),
  })),
  reasoning: [
    { name: "signed thinking", value: SIGNED, sent: SIGNED },
    { name: "signed thinking that is not shown", value: SILENT, sent: SILENT },
    { name: "redacted thinking", value: REDACTED, sent: REDACTED },
  ],
  caching: ["marks"],
  sent: (body) => ({
    instructions: listOf(body.system)
      .map((block) => stringOr(fields(block).text, ""))
      .join("\n"),
    tools: listOf(body.tools).map((tool) => stringOr(fields(tool).name, "")),
    parts: listOf(body.messages)
      .map(fields)
      .flatMap(({ role, content }) =>
        listOf(content)
          .map(fields)
          .flatMap((block) => partsOf(block, role === "assistant" ? "assistant" : "user")),
      ),
    cacheMarks: JSON.stringify(body).split('"cache_control"').length - 1,
  }),
};

export const MESSAGES: WireSubject = {
  name: "Anthropic Messages",
  stops: [
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
  ],
  wire,
};

function blocksOf({ text, refusal, calls = [], reasoning }: ContractAnswer): Fields[] {
  const said = text ?? refusal;
  return [
    ...(reasoning === undefined ? [] : [fields(reasoning)]),
    ...(said === undefined ? [] : [{ type: "text", text: said }]),
    ...calls.map(({ id, name, arguments: json }) => ({ type: "tool_use", id, name, input: inputOf(json) })),
  ];
}

/** The API's `input` is an object; what was never one stands in for a model's careless writing. */
function inputOf(json: string): unknown {
  try {
    return json === "" ? {} : (JSON.parse(json) as unknown);
  } catch {
    return json;
  }
}

const head = ({ usage }: ContractAnswer): Fields => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-test",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...(usage && usageOf({ usage })), output_tokens: 1, output_tokens_details: null },
});

const stopOf = ({ refusal, calls = [], stop }: ContractAnswer): string =>
  stop ?? (refusal !== undefined ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn");

const usageOf = ({ usage }: ContractAnswer): Fields | undefined =>
  usage && {
    input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    output_tokens: usage.outputTokens,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
  };

/** A block's start, its deltas, its stop. */
export const block = (index: number, start: object, ...deltas: object[]): Fields[] => [
  { type: "content_block_start", index, content_block: start },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];

function blockIn(whole: Fields, index: number, pieces: (text: string) => string[]): Fields[] {
  const texts = (value: unknown): string[] => pieces(String(value));
  switch (whole.type) {
    case "text":
      return block(
        index,
        { type: "text", text: "" },
        ...texts(whole.text).map((text) => ({ type: "text_delta", text })),
      );
    case "thinking":
      return block(
        index,
        { type: "thinking", thinking: "", signature: "" },
        ...texts(whole.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: whole.signature },
      );
    case "tool_use": {
      const { input } = whole;
      const json = typeof input === "string" ? input : JSON.stringify(input);
      const deltas = json === "{}" ? [""] : pieces(json);
      return block(
        index,
        { ...whole, input: {} },
        ...deltas.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      );
    }
    default:
      return block(index, whole);
  }
}

const inPieces = (whole: Fields, index: number): Fields[] => blockIn(whole, index, (text) => [...text]);
const inOne = (whole: Fields, index: number): Fields[] => blockIn(whole, index, (text) => [text]);

const delta = (answer: ContractAnswer): Fields => ({
  type: "message_delta",
  delta: { stop_reason: stopOf(answer), stop_sequence: null },
  usage: { ...usageOf(answer), input_tokens: null },
});

const start = (answer: ContractAnswer): Fields => ({ type: "message_start", message: head(answer) });

/** A whole message around the events of its blocks. */
export const message = (blocks: readonly Fields[], answer: ContractAnswer = {}): Fields[] => [
  start(answer),
  { type: "ping" },
  ...blocks,
  delta(answer),
  { type: "message_stop" },
];

function variants(answer: ContractAnswer): Record<string, readonly unknown[]> {
  const whole = blocksOf(answer);
  const blocks = whole.flatMap(inOne);
  const stop = { type: "message_stop" };
  return {
    "one piece": message(blocks, answer),
    "blocks that are whole at their start": message(
      whole.flatMap((one, index) => block(index, one)),
      answer,
    ),
    "blocks whose deltas alternate": message(
      ["content_block_start", "content_block_delta", "content_block_stop"].flatMap((type) =>
        blocks.filter((event) => event.type === type),
      ),
      answer,
    ),
    "null as input at a block's start": message(
      whole.flatMap((one, index) =>
        inOne(one, index).map((event) =>
          event.type === "content_block_start" && one.type === "tool_use"
            ? { ...event, content_block: { ...one, input: null } }
            : event,
        ),
      ),
      answer,
    ),
    "blocks and deltas of no known type": message(
      [
        ...block(90, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
        ...block(91, { type: "text", text: "" }, { type: "citations_delta", citation: {} }),
        { type: "content_block_delta", index: 99, delta: { type: "text_delta", text: "of no block" } },
        { type: "a_new_event" },
        ...blocks,
      ],
      answer,
    ),
    "two message deltas, the usage in the last": [
      start(answer),
      ...blocks,
      { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: 1 } },
      delta(answer),
      stop,
    ],
    "all usage in the message delta": [
      { type: "message_start", message: { type: "message", role: "assistant", content: [] } },
      ...blocks,
      { ...delta(answer), usage: usageOf(answer) },
      stop,
    ],
    "pings everywhere, and [DONE]": [
      ...message(blocks, answer).flatMap((event) => [{ type: "ping" }, event]),
      "[DONE]",
    ],
  };
}

function partsOf(block: Fields, role: "user" | "assistant"): SentPart[] {
  const { cache_control: _, ...one } = block;
  switch (one.type) {
    case "text":
      return [{ type: "text", role, text: stringOr(one.text, "") }];
    case "image": {
      const { media_type: mediaType, data } = fields(one.source);
      return [{ type: "image", mediaType: stringOr(mediaType, ""), data: stringOr(data, "") }];
    }
    case "tool_use":
      return [
        { type: "tool_call", id: stringOr(one.id, ""), name: stringOr(one.name, ""), arguments: one.input },
      ];
    case "tool_result": {
      const parts = listOf(one.content)
        .map(fields)
        .flatMap((part) => partsOf(part, role));
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      return [
        { type: "tool_result", callId: stringOr(one.tool_use_id, ""), text },
        ...parts.filter((part) => part.type !== "text"),
      ];
    }
    default:
      return [{ type: "reasoning", value: one }];
  }
}
