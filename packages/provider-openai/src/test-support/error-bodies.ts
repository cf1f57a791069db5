import type { FaultKind, WireFault } from "@toycoder/testing";

/** `type` and `code` as OpenAI writes them (API reference, Errors; Error codes guide). */
const ERRORS: Readonly<Record<FaultKind, readonly [status: number, type: string, code: string | null]>> = {
  auth: [401, "invalid_request_error", "invalid_api_key"],
  forbidden: [403, "permission_error", null],
  rate_limit: [429, "requests", "rate_limit_exceeded"],
  overloaded: [503, "server_error", "server_error"],
  server_error: [500, "server_error", "server_error"],
  invalid_request: [400, "invalid_request_error", null],
  context_overflow: [400, "invalid_request_error", "context_length_exceeded"],
};

/** An error of OpenAI's APIs, and the status that it comes with. */
export function errorBody(kind: FaultKind, message: string): { status: number; error: object } {
  const [status, type, code] = ERRORS[kind];
  return { status, error: { message, type, param: null, code } };
}

const tooLong = (status: number, error: object): Pick<WireFault, "status" | "body"> => ({
  status,
  body: { error },
});

/** What OpenAI says of a conversation that is too long: Chat Completions, Responses. */
export const OPENAI_OVERFLOWS: readonly Pick<WireFault, "status" | "body">[] = [
  tooLong(400, {
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130123 tokens. Please reduce the length of the messages.",
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  }),
  tooLong(400, {
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    type: "invalid_request_error",
    param: "input",
    code: "context_length_exceeded",
  }),
  tooLong(400, {
    message:
      "Invalid 'input[3].content': string too long. Expected a string with maximum length 10485760, but got a string with length 20971520 instead.",
    type: "invalid_request_error",
    param: "input[3].content",
    code: "string_above_max_length",
  }),
];

const said = (message: string, status = 400): Pick<WireFault, "status" | "body"> =>
  tooLong(status, { message, type: "invalid_request_error", code: status });

/** What servers that speak Chat Completions say of it, as reported in public by their users. */
export const COMPATIBLE_OVERFLOWS: readonly Pick<WireFault, "status" | "body">[] = [
  // vLLM, whose error is not nested
  {
    status: 400,
    body: {
      object: "error",
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 4500 tokens (3500 in the messages, 1000 in the completion).",
      type: "BadRequestError",
      code: 400,
    },
  },
  // llama.cpp
  tooLong(400, {
    code: 400,
    message: "the request exceeds the available context size, try increasing it",
    type: "exceed_context_size_error",
    n_prompt_tokens: 9000,
    n_ctx: 4096,
  }),
  // Ollama
  { status: 400, body: { error: "prompt too long; exceeded max context length by 4 tokens" } },
  // LM Studio
  said(
    "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
  ),
  // OpenRouter
  said(
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens (130000 of text input, 10000 in the output). Please reduce the length of either one.",
  ),
  // xAI, whose error is a text
  {
    status: 400,
    body: {
      code: "invalid-argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  },
  // Groq
  said("Please reduce the length of the messages or completion."),
  // Gemini, a list of one
  {
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  },
  // Mistral
  said(
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ),
  // Moonshot
  said("Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
  // GitHub Copilot
  said("prompt token count of 130000 exceeds the limit of 128000"),
  // MiniMax
  said("invalid params, context window exceeds limit (2013)"),
  // DashScope (Qwen)
  said("<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]"),
];
