/** How one server's Chat Completions differ from OpenAI's. */
export interface ChatQuirks {
  /** Tools in strict form where it can say them; default: where the server is OpenAI's or Azure's. */
  strictTools: boolean;
  /** Send `strict` with each tool; a few servers refuse fields that they don't know. */
  strictField: boolean;
  /** What limits the answer: OpenAI has renamed the field, others have not. */
  maxTokensField: "max_completion_tokens" | "max_tokens";
  /** Ask for usage in the stream (`stream_options.include_usage`). */
  streamUsage: boolean;
  /** Send `prompt_cache_key`. */
  promptCacheKey: boolean;
  /** How an output schema is asked for; `json_object` says only that it is JSON. */
  outputSchema: "json_schema" | "json_object" | "none";
  /** Give reasoning back with the calls that it led to, in the field that it came in. */
  returnReasoning: boolean;
}

export const OPENAI_QUIRKS: Readonly<ChatQuirks> = Object.freeze({
  strictTools: true,
  strictField: true,
  maxTokensField: "max_completion_tokens",
  streamUsage: true,
  promptCacheKey: true,
  outputSchema: "json_schema",
  returnReasoning: false,
});

/** What most compatible servers take: Ollama, vLLM, llama.cpp, OpenRouter, Together, Groq. */
export const COMPATIBLE_QUIRKS: Readonly<ChatQuirks> = Object.freeze({
  strictTools: false,
  strictField: true,
  maxTokensField: "max_tokens",
  streamUsage: true,
  promptCacheKey: false,
  outputSchema: "json_schema",
  returnReasoning: true,
});

/** The owner of what this API wants back untouched. */
export const PROVIDER = "openai-chat";

/** The fields that servers stream reasoning in: DeepSeek, vLLM and Qwen the first; OpenRouter, Ollama the second. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;
