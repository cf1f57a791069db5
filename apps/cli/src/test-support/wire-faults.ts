// How the three APIs say that something is wrong: OpenAI's Error codes guide, Anthropic's Errors page.

export type Api = "responses" | "chat" | "anthropic";

export type Fault = "overloaded" | "server_error" | "rate_limit" | "quota" | "invalid" | "auth" | "overflow";

const OPENAI: Readonly<Record<Fault, readonly [type: string, code: string | null, message: string]>> = {
  overloaded: ["server_error", "server_error", "The engine is currently overloaded"],
  server_error: ["server_error", "server_error", "The server had an error"],
  rate_limit: ["requests", "rate_limit_exceeded", "Rate limit reached"],
  quota: ["insufficient_quota", "insufficient_quota", "You exceeded your current quota"],
  invalid: ["invalid_request_error", null, "Invalid value"],
  auth: ["invalid_request_error", "invalid_api_key", "Incorrect API key provided"],
  overflow: [
    "invalid_request_error",
    "context_length_exceeded",
    "Your input exceeds the context window of this model.",
  ],
};

const ANTHROPIC: Readonly<Record<Fault, readonly [type: string, message: string]>> = {
  overloaded: ["overloaded_error", "Overloaded"],
  server_error: ["api_error", "Internal server error"],
  rate_limit: ["rate_limit_error", "This request would exceed your rate limit"],
  quota: ["invalid_request_error", "Your credit balance is too low to access the Anthropic API"],
  invalid: ["invalid_request_error", "tools.0: Invalid value"],
  auth: ["authentication_error", "invalid x-api-key"],
  overflow: ["invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
};

/** The body of an answer whose status is an error. */
export function faultBody(api: Api, fault: Fault): object {
  if (api === "anthropic") {
    const [type, message] = ANTHROPIC[fault];
    return { type: "error", error: { type, message } };
  }
  const [type, code, message] = OPENAI[fault];
  return { error: { type, code, param: null, message } };
}

/** The same as an event within a stream. */
export function faultEvent(api: Api, fault: Fault): string {
  const body = faultBody(api, fault);
  if (api === "chat") return `data: ${JSON.stringify(body)}\n\n`;
  if (api === "anthropic") return `event: error\ndata: ${JSON.stringify(body)}\n\n`;
  const [type, code, message] = OPENAI[fault];
  const error = { code: code ?? type, message };
  const event = { type: "response.failed", response: { status: "failed", error } };
  return `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`;
}
