import { fields, listOf, stringOr } from "@toycoder/core/wire";
import type {
  ContractAnswer,
  FaultKind,
  ModelWire,
  SentPart,
  WireFault,
  WireSubject,
} from "@toycoder/testing";
import { openAiResponses } from "../responses/model.ts";
import { errorBody, OPENAI_OVERFLOWS } from "./error-bodies.ts";
import { imageOf } from "./sent-image.ts";

type Fields = Readonly<Record<string, unknown>>;

const REASONING = {
  id: "rs_1",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Hm" }],
  encrypted_content: "gAAAAABencrypted==",
};

/** The Responses API for the model contract: object shapes of OpenAI's API reference. */
const wire: ModelWire = {
  model: ({ origin, ...settings }) =>
    openAiResponses({ model: "gpt-5.5", baseURL: `${origin}/v1`, ...settings }),
  events: (answer) => [...opening(answer, "characters"), ended(answer)],
  json: response,
  variants,
  completes: (event) => /^response\.(?:completed|incomplete)$/.test(stringOr(fields(event).type, "")),
  fault,
  overflows: OPENAI_OVERFLOWS,
  reasoning: [{ name: "an encrypted reasoning item", value: REASONING, sent: REASONING }],
  caching: ["key"],
  sent: (body) => ({
    instructions: stringOr(body.instructions, ""),
    tools: listOf(body.tools).map((tool) => stringOr(fields(tool).name, "")),
    parts: listOf(body.input).map(fields).flatMap(partsOf),
    ...(typeof body.prompt_cache_key === "string" && { cacheKey: body.prompt_cache_key }),
  }),
};

export const RESPONSES: WireSubject = {
  name: "OpenAI Responses",
  stops: [
    ["completed", "stop"],
    ["max_output_tokens", "length"],
    ["content_filter", "refusal"],
  ],
  wire,
};

function itemsOf({ text, refusal, calls = [], reasoning, stop }: ContractAnswer): Fields[] {
  const content = [
    ...(text === undefined ? [] : [{ type: "output_text", text, annotations: [] }]),
    ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
  ];
  return [
    ...(reasoning === undefined ? [] : [{ ...fields(reasoning), status: "completed" }]),
    ...(content.length === 0
      ? []
      : [{ id: "msg_1", type: "message", role: "assistant", status: "completed", content }]),
    ...calls.map(({ id, name, arguments: args }, index) => ({
      id: `fc_${index}`,
      type: "function_call",
      ...(id !== "" && { call_id: id }),
      status: stop === undefined || isJson(args) ? "completed" : "incomplete",
      name,
      arguments: args,
    })),
  ];
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

function response(answer: ContractAnswer): Fields {
  const { usage, stop = "completed" } = answer;
  return {
    object: "response",
    ...(stop === "completed"
      ? { status: "completed", incomplete_details: null }
      : { status: "incomplete", incomplete_details: { reason: stop } }),
    output: itemsOf(answer),
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      input_tokens_details: {
        cached_tokens: usage.cacheReadTokens,
        cache_write_tokens: usage.cacheWriteTokens,
      },
      output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    },
  };
}

const ended = (answer: ContractAnswer): Fields => {
  const whole = response(answer);
  return { type: `response.${stringOr(whole.status, "")}`, response: whole };
};

function opening(answer: ContractAnswer, size: "characters" | "one"): Fields[] {
  const pieces = (value: unknown): string[] => (size === "one" ? [String(value)] : [...String(value)]);
  return [
    { type: "response.created", response: { status: "in_progress", output: [] } },
    ...itemsOf(answer).flatMap((item, output_index): Fields[] => {
      const at = { item_id: item.id, output_index };
      const [part] = listOf(item.content).map(fields);
      return [
        { type: "response.output_item.added", output_index, item: { ...item, status: "in_progress" } },
        ...(item.type === "message" && part
          ? pieces(part.text ?? part.refusal).map((delta) => ({
              type: part.type === "refusal" ? "response.refusal.delta" : "response.output_text.delta",
              ...at,
              content_index: 0,
              delta,
            }))
          : []),
        ...(item.type === "function_call"
          ? pieces(item.arguments).map((delta) => ({
              type: "response.function_call_arguments.delta",
              ...at,
              delta,
            }))
          : []),
        { type: "response.output_item.done", output_index, item },
      ];
    }),
  ];
}

function variants(answer: ContractAnswer): Record<string, readonly unknown[]> {
  const whole = opening(answer, "one");
  const renamed = itemsOf(answer).map((item, index) => ({ ...item, id: `other_${index}` }));
  const { type, response: final } = ended(answer);
  return {
    "one piece": [...whole, ended(answer)],
    "the final response alone": [ended(answer)],
    "no output in the final response": [...whole, { type, response: { ...fields(final), output: [] } }],
    "a final response that names its items anew": [
      ...whole,
      { type, response: { ...fields(final), output: renamed } },
    ],
    "a first item in the stream, the others in the final response alone": [
      ...whole.filter(({ output_index: index }) => index === undefined || index === 0),
      ended(answer),
    ],
    "items that are done, and no deltas": [
      ...whole.filter((event) => !stringOr(event.type, "").endsWith("delta")),
      ended(answer),
    ],
    "every item done twice": [
      ...whole.flatMap((event) => (event.type === "response.output_item.done" ? [event, event] : [event])),
      ended(answer),
    ],
    "events of no known type, and [DONE]": [
      { type: "response.in_progress", response: {} },
      { type: "keepalive", sequence_number: 1 },
      ...whole,
      ended(answer),
      "[DONE]",
    ],
    "two final responses": [...whole, ended(answer), ended(answer)],
  };
}

function fault(kind: FaultKind, message: string): WireFault {
  const { status, error } = errorBody(kind, message);
  const { code, type } = fields(error);
  const failed = { status: "failed", error: { code: code ?? type, message } };
  return { status, body: { error }, event: { type: "response.failed", response: failed } };
}

function partsOf(item: Fields): SentPart[] {
  switch (item.type) {
    case "function_call":
      return [
        {
          type: "tool_call",
          id: stringOr(item.call_id, ""),
          name: stringOr(item.name, ""),
          arguments: JSON.parse(stringOr(item.arguments, "")) as unknown,
        },
      ];
    case "function_call_output": {
      const { output } = item;
      const parts = typeof output === "string" ? [] : contentParts(output, "user");
      const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
      return [
        { type: "tool_result", callId: stringOr(item.call_id, ""), text: stringOr(output, text) },
        ...parts.filter((part) => part.type === "image"),
      ];
    }
    case "reasoning":
      return [{ type: "reasoning", value: item }];
    default: {
      const role = item.role === "assistant" ? "assistant" : "user";
      const { content } = item;
      return typeof content === "string"
        ? [{ type: "text", role, text: content }]
        : contentParts(content, role);
    }
  }
}

const contentParts = (content: unknown, role: "user" | "assistant"): SentPart[] =>
  listOf(content)
    .map(fields)
    .map(({ type, text, image_url: url }) =>
      type === "input_image" ? imageOf(url) : { type: "text", role, text: stringOr(text, "") },
    );
