import type { Model } from "@toycoder/core";
import type { ModelSettings } from "@toycoder/core/wire";
import { openAiChat } from "../chat/model.ts";
import { openAiResponses } from "../responses/model.ts";

/** One call of a tool, its arguments as JSON text. */
interface Call {
  id: string;
  name: string;
  arguments: string;
}

/** What the tests of both APIs need of one: its model, and an answer in its words. */
export interface TestProtocol {
  name: string;
  path: string;
  model(settings: ModelSettings): Model;
  /** The events of a whole answer, in order. */
  events(text: string, calls?: readonly Call[]): unknown[];
  /** The same as one JSON value. */
  json(text: string, calls?: readonly Call[]): unknown;
  /** An error object as it comes inside a stream. */
  streamError(error: unknown): unknown;
}

const chatCalls = (calls: readonly Call[]): unknown[] =>
  calls.map(({ id, ...call }, index) => ({ index, id, type: "function", function: call }));

const chat: TestProtocol = {
  name: "chat",
  path: "/v1/chat/completions",
  model: openAiChat,
  events(text, calls = []) {
    const chunk = (delta: unknown, finish: string | null = null): unknown => ({
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    return [
      chunk({ role: "assistant", content: "" }),
      ...[...text].map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, arguments: json }, index) => [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        ...[...json].map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      {
        choices: [],
        usage: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
      },
      "[DONE]",
    ];
  },
  json: (text, calls = []) => ({
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, tool_calls: chatCalls(calls) },
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } },
  }),
  streamError: (error) => ({ error }),
};

function output(text: string, calls: readonly Call[]): Record<string, unknown>[] {
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text }],
  };
  return [
    ...(text === "" ? [] : [message]),
    ...calls.map(({ id, ...call }) => ({
      id: `fc_${id}`,
      type: "function_call",
      call_id: id,
      status: "completed",
      ...call,
    })),
  ];
}

const response = (text: string, calls: readonly Call[]): unknown => ({
  status: "completed",
  output: output(text, calls),
  usage: { input_tokens: 10, output_tokens: 3, input_tokens_details: { cached_tokens: 4 } },
});

const responses: TestProtocol = {
  name: "responses",
  path: "/v1/responses",
  model: openAiResponses,
  events: (text, calls = []) => [
    { type: "response.created", response: {} },
    ...[...text].map((delta) => ({
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 0,
      delta,
    })),
    ...output(text, calls).flatMap((item, index) => [
      { type: "response.function_call_arguments.delta", item_id: item.id, output_index: index, delta: "{" },
      { type: "response.output_item.done", output_index: index, item },
    ]),
    { type: "response.completed", response: response(text, calls) },
  ],
  json: (text, calls = []) => response(text, calls),
  streamError: (error) => ({ type: "error", ...(error as object) }),
};

export const PROTOCOLS: readonly TestProtocol[] = [responses, chat];
