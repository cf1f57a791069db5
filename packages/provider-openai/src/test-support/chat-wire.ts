import type { Model } from "@toycoder/core";
import { fields, listOf, stringOr } from "@toycoder/core/wire";
import type { ContractAnswer, FaultKind, ModelWire, SentPart, WireFault } from "@toycoder/testing";
import type { ChatSettings } from "../chat/model.ts";
import { errorBody } from "./error-bodies.ts";
import { imageOf } from "./sent-image.ts";

/** Chat Completions for the model contract: object shapes of OpenAI's API reference. */
export function chatWire(
  make: (settings: ChatSettings) => Model,
  more: Pick<ModelWire, "overflows" | "reasoning" | "caching">,
): ModelWire {
  return {
    ...more,
    model: ({ origin, ...settings }) => make({ model: "gpt-test", baseURL: `${origin}/v1`, ...settings }),
    events: (answer) => [...deltas(answer, "characters"), ...ending(answer)],
    json,
    variants,
    completes: (event) =>
      listOf(fields(event).choices).some((choice) => fields(choice).finish_reason !== null),
    fault,
    sent(body) {
      const messages = listOf(body.messages).map(fields);
      const system = messages.filter(({ role }) => role === "system");
      const { prompt_cache_key: key } = body;
      return {
        instructions: system.map(({ content }) => stringOr(content, "")).join("\n"),
        tools: listOf(body.tools).map((tool) => stringOr(fields(fields(tool).function).name, "")),
        parts: messages.filter(({ role }) => role !== "system").flatMap(partsOf),
        ...(typeof key === "string" && { cacheKey: key }),
      };
    },
  };
}

export const CHAT_STOPS = [
  ["stop", "stop"],
  ["length", "length"],
  ["content_filter", "refusal"],
] as const;

const chunk = (delta: object, finish: string | null = null): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const callDelta = (delta: object): object => chunk({ tool_calls: [delta] });

function deltas(
  { text = "", refusal = "", calls = [], reasoning }: ContractAnswer,
  size: "characters" | "one",
): object[] {
  const pieces = (value: string): string[] => (size === "one" ? [value] : [...value]);
  return [
    chunk({ role: "assistant", content: "" }),
    ...listOf(reasoning).map((delta) => chunk(fields(delta))),
    ...pieces(text).map((content) => chunk({ content })),
    ...pieces(refusal).map((piece) => chunk({ refusal: piece })),
    ...calls.flatMap(({ id, name, arguments: json }, index) => [
      callDelta({ index, ...(id !== "" && { id }), type: "function", function: { name, arguments: "" } }),
      ...pieces(json).map((piece) => callDelta({ index, function: { arguments: piece } })),
    ]),
  ];
}

const finishOf = ({ calls = [], stop }: ContractAnswer): string =>
  stop ?? (calls.length > 0 ? "tool_calls" : "stop");

const usageOf = ({ usage }: ContractAnswer): object | undefined =>
  usage && {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };

const usageChunk = (answer: ContractAnswer): object[] => {
  const usage = usageOf(answer);
  return usage === undefined
    ? []
    : [{ id: "chatcmpl-1", object: "chat.completion.chunk", choices: [], usage }];
};

const ending = (answer: ContractAnswer): unknown[] => [
  chunk({}, finishOf(answer)),
  ...usageChunk(answer),
  "[DONE]",
];

function json(answer: ContractAnswer): unknown {
  const { text = null, refusal = null, calls = [] } = answer;
  const toolCalls = calls.map(({ id, name, arguments: args }) => ({
    ...(id !== "" && { id }),
    type: "function",
    function: { name, arguments: args },
  }));
  const message = { role: "assistant", content: text, refusal, tool_calls: toolCalls };
  return {
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishOf(answer) }],
    usage: usageOf(answer),
  };
}

/** What Ollama, vLLM, llama.cpp, Gemini, Mistral and gateways do otherwise than OpenAI. */
function variants(answer: ContractAnswer): Record<string, readonly unknown[]> {
  const { text = "", calls = [] } = answer;
  const said = [chunk({ content: text })];
  const end = ending(answer);
  const usage = usageOf(answer);
  const callsAs = (deltasOf: (call: (typeof calls)[number], index: number) => object[]): unknown[] => [
    ...said,
    ...calls.flatMap((call, index) => deltasOf(call, index).map(callDelta)),
    ...end,
  ];
  const full = ({ id, name, arguments: args }: (typeof calls)[number]) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  });
  const half = (value: string): [string, string] => [value.slice(0, 7), value.slice(7)];
  return {
    "one piece": [...deltas(answer, "one"), ...end],
    "calls whole in one delta": [
      ...said,
      chunk({ tool_calls: calls.map((call, index) => ({ index, ...full(call) })) }),
      ...end,
    ],
    "calls without an index": callsAs((call) => [
      { ...full(call), function: { name: call.name, arguments: half(call.arguments)[0] } },
      { function: { arguments: half(call.arguments)[1] } },
    ]),
    "calls that are all numbered 0": callsAs((call) => [{ index: 0, ...full(call) }]),
    "deltas of a call by index alone": callsAs((call, index) => [
      { index, ...full(call), function: { name: call.name } },
      { index, function: { arguments: half(call.arguments)[0] } },
      { index, function: { arguments: half(call.arguments)[1] } },
    ]),
    "id and name in every delta of a call": callsAs((call, index) =>
      half(call.arguments).map((piece) => ({
        index,
        ...full(call),
        function: { name: call.name, arguments: piece },
      })),
    ),
    "null where there is nothing": callsAs((call, index) => [
      { index, ...full(call), function: { name: call.name, arguments: null } },
      { index, id: null, function: { name: null, arguments: call.arguments } },
      { index, id: null, function: { name: null, arguments: null } },
    ]),
    "arguments as an object": callsAs((call, index) => [
      {
        index,
        ...full(call),
        function: { name: call.name, arguments: JSON.parse(call.arguments) as unknown },
      },
    ]),
    "a finish of stop beside calls": [...deltas(answer, "one"), chunk({}, "stop"), ...usageChunk(answer)],
    "no [DONE]": [...deltas(answer, "one"), ...end.slice(0, -1)],
    "[DONE] and no finish": [...deltas(answer, "one"), ...usageChunk(answer), "[DONE]"],
    "two finish chunks": [...deltas(answer, "one"), chunk({}, finishOf(answer)), ...end],
    "text after the finish": [
      ...deltas({ ...answer, text: text.slice(0, 2) }, "one"),
      chunk({}, finishOf(answer)),
      chunk({ content: text.slice(2) }),
      ...usageChunk(answer),
      "[DONE]",
    ],
    "usage in the finish chunk": [
      ...deltas(answer, "one"),
      { ...chunk({}, finishOf(answer)), usage },
      "[DONE]",
    ],
    "usage that grows with every chunk": [
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
      ...deltas(answer, "one").map((delta) => ({ ...delta, usage: { prompt_tokens: 2 } })),
      ...end,
    ],
    "null as usage, and a first chunk without choices": [
      { choices: [], prompt_filter_results: [] },
      ...deltas(answer, "one").map((delta) => ({ ...delta, usage: null })),
      ...end,
    ],
    "an empty finish reason in every chunk": [
      ...deltas(answer, "one").map((delta) => ({
        ...delta,
        choices: listOf(fields(delta).choices).map((choice) => ({ ...fields(choice), finish_reason: "" })),
      })),
      ...end,
    ],
    "text as a list of parts": [
      chunk({ content: [{ type: "text", text }] }),
      ...deltas({ ...answer, text: "" }, "one"),
      ...end,
    ],
  };
}

function fault(kind: FaultKind, message: string): WireFault {
  const { status, error } = errorBody(kind, message);
  return { status, body: { error }, event: { error } };
}

function partsOf(message: Readonly<Record<string, unknown>>): SentPart[] {
  const { role, content, tool_calls: calls, tool_call_id: callId, reasoning_content: reasoning } = message;
  if (role === "tool") {
    return [{ type: "tool_result", callId: stringOr(callId, ""), text: stringOr(content, "") }];
  }
  const from = role === "assistant" ? "assistant" : "user";
  const said = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  return [
    ...(reasoning === undefined
      ? []
      : [{ type: "reasoning" as const, value: { reasoning_content: reasoning } }]),
    ...said
      .map(fields)
      .map(({ type, text, image_url: image }): SentPart =>
        type === "image_url"
          ? imageOf(fields(image).url)
          : { type: "text", role: from, text: stringOr(text, "") },
      ),
    ...listOf(calls)
      .map(fields)
      .map(({ id, function: given }): SentPart => {
        const { name, arguments: args } = fields(given);
        return {
          type: "tool_call",
          id: stringOr(id, ""),
          name: stringOr(name, ""),
          arguments: JSON.parse(stringOr(args, "")) as unknown,
        };
      }),
  ];
}
