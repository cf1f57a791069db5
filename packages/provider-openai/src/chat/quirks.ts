/** How one server's Chat Completions differ from OpenAI's. Each is there for a server that needs it: `SERVERS`. */
export interface ChatQuirks {
  /** Tools in strict form where it can say them; default: where the server is OpenAI's or Azure's. */
  strictTools: boolean;
  /** Send `strict` with each tool; a few servers refuse fields that they don't know. */
  strictField: boolean;
  /** What tools' schemas may say: all, all but `pattern`, or the part of OpenAPI's schemas that Gemini takes. */
  schemas: "json-schema" | "no-patterns" | "gemini";
  /** What limits the answer: OpenAI has renamed the field, others have not. */
  maxTokensField: "max_completion_tokens" | "max_tokens";
  /** How a reasoning effort is said: as such, or also as thinking that is switched on or off. */
  effort: "reasoning_effort" | "thinking" | "enable_thinking";
  /** Ask for usage in the stream (`stream_options.include_usage`). */
  streamUsage: boolean;
  /** Send `prompt_cache_key`. */
  promptCacheKey: boolean;
  /**
   * How an output schema is asked for; `json_object` says only that it is JSON. Where the format doesn't hold the
   * schema, the instructions do.
   */
  outputSchema: "json_schema" | "json_object" | "none";
  /** Ask for the output schema beside tools, too; where not, it is in the instructions while there are tools. */
  outputSchemaWithTools: boolean;
  /** Give reasoning back with the calls that it led to, in the field that it came in; `required`: even if empty. */
  returnReasoning: boolean | "required";
  /** Give the signatures of calls back; `required`: where an answer has none, the word that stands for one. */
  thoughtSignatures: boolean | "required";
  /** The content of an answer that only calls tools. */
  emptyContent: "null" | "text";
  /** Call ids are nine letters and digits. */
  shortCallIds: boolean;
  /** An answer has to stand between tool results and the user's next message. */
  assistantAfterTool: boolean;
  /** Send images; where not, a note stands in their place. */
  images: boolean;
}

/** The values of the quirks that are more than yes or no. */
const VALUES: Readonly<Partial<Record<keyof ChatQuirks, readonly unknown[]>>> = {
  schemas: ["json-schema", "no-patterns", "gemini"],
  maxTokensField: ["max_completion_tokens", "max_tokens"],
  effort: ["reasoning_effort", "thinking", "enable_thinking"],
  outputSchema: ["json_schema", "json_object", "none"],
  returnReasoning: [true, false, "required"],
  thoughtSignatures: [true, false, "required"],
  emptyContent: ["null", "text"],
};

/** What a quirk may be set to. */
export const quirkValues = (name: keyof ChatQuirks): readonly unknown[] => VALUES[name] ?? [true, false];

/** Chat Completions as OpenAI's own server speaks it. */
export const OPENAI_QUIRKS: Readonly<ChatQuirks> = Object.freeze({
  strictTools: true,
  strictField: true,
  schemas: "json-schema",
  maxTokensField: "max_completion_tokens",
  effort: "reasoning_effort",
  streamUsage: true,
  promptCacheKey: true,
  outputSchema: "json_schema",
  outputSchemaWithTools: true,
  returnReasoning: false,
  thoughtSignatures: false,
  emptyContent: "null",
  shortCallIds: false,
  assistantAfterTool: false,
  images: true,
});

/** What most compatible servers take: vLLM, OpenRouter, Together, LiteLLM. */
export const COMPATIBLE_QUIRKS: Readonly<ChatQuirks> = Object.freeze({
  ...OPENAI_QUIRKS,
  strictTools: false,
  maxTokensField: "max_tokens",
  promptCacheKey: false,
  returnReasoning: true,
  thoughtSignatures: true,
});

/** The owner of what this API wants back untouched. */
export const PROVIDER = "openai-chat";

/** The fields that servers stream reasoning in: DeepSeek and Qwen the first; vLLM, OpenRouter and Ollama the second. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;
