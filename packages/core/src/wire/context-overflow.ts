/** Codes for a prompt that is too long: OpenAI, llama.cpp. */
const CODES = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  "request_too_large",
  "string_above_max_length",
]);

const MESSAGES: readonly RegExp[] = [
  /maximum context length/i, // OpenAI Chat Completions, vLLM, DeepSeek
  /exceeds? the (?:model'?s? |available |maximum )*context/i, // OpenAI Responses, llama.cpp
  /context (?:window|length|limit|size).{0,40}exceed|exceed.{0,40}context (?:window|length|limit|size)/i, // Anthropic, Ollama
  /prompt is too long/i, // Anthropic: "prompt is too long: 210000 tokens > 200000 maximum"
  /input (?:token count|length).{0,60}exceed/i, // Gemini, Qwen
  /input is too long/i, // Bedrock
  /maximum prompt length is \d/i, // xAI
  /reduce the length of the messages/i, // Groq
  /greater than the context length/i, // LM Studio
  /exceeded model token limit/i, // Moonshot
  /prompt token count.{0,40}exceeds/i, // GitHub Copilot
  /range of input length should be/i, // DashScope (Qwen)
];

/** Whether an error says that the conversation is longer than the model's context window. */
export const isContextOverflow = (codes: readonly string[], message: string): boolean =>
  codes.some((code) => CODES.has(code)) || MESSAGES.some((pattern) => pattern.test(message));
