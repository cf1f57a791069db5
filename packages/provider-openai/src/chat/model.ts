import { type Model, type ModelRequest, SetupError } from "@toycoder/core";
import { callModel, type ModelSettings } from "@toycoder/core/wire";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { cacheKey } from "../cache-key.ts";
import { type ClientRules, configuredBaseURL, createClient, enforcesStrict } from "../client.ts";
import { createModel } from "../create-model.ts";
import { outputFormat } from "../output-format.ts";
import { serverEvents } from "../server-events.ts";
import { decodeStream, unfold } from "./decode-stream.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeTools } from "./encode-tools.ts";
import { type ChatQuirks, COMPATIBLE_QUIRKS, OPENAI_QUIRKS } from "./quirks.ts";

export interface ChatSettings extends ModelSettings {
  /** Where the server differs from what its kind does by default. */
  quirks?: Partial<ChatQuirks>;
}

/** A model behind OpenAI's Chat Completions; its id is `openai-chat:MODEL`. Fails like `openAiResponses`. */
export function openAiChat(settings: ChatSettings): Model {
  const quirks = { ...OPENAI_QUIRKS, strictTools: enforcesStrict(settings), ...settings.quirks };
  return chatModel("openai-chat", settings, quirks, { provider: "OpenAI", keyless: false });
}

/**
 * A model behind any server that speaks Chat Completions; its id is `openai-compatible:MODEL`. A key is sent
 * where there is one. Throws a SetupError `invalid_model` without a base URL.
 */
export function openAiCompatible(settings: ChatSettings): Model {
  if (configuredBaseURL(settings) === undefined) {
    throw new SetupError("invalid_model", `openai-compatible:${settings.model} needs the server's base URL`, {
      hint: "set baseURL (or --base-url, or OPENAI_BASE_URL), as in http://127.0.0.1:11434/v1",
    });
  }
  const quirks = { ...COMPATIBLE_QUIRKS, ...settings.quirks };
  return chatModel("openai-compatible", settings, quirks, { provider: "the server", keyless: true });
}

function chatModel(id: string, settings: ChatSettings, quirks: ChatQuirks, rules: ClientRules): Model {
  return createModel(id, settings, async function* (request, { signal }) {
    const { sdk, failure } = await createClient(settings, rules);
    const encoded = encodeTools(request.tools, quirks);
    if (encoded.skipped.length > 0) settings.onSkipped?.(encoded.skipped);
    const params = encodeRequest(request, settings, quirks, encoded);
    yield* callModel(
      {
        send: (attempt) => sdk.chat.completions.create(params, { signal: attempt }).asResponse(),
        events: serverEvents,
        unfold,
        decode: (events) => decodeStream(events, encoded.codec),
      },
      { signal, settings, failure },
    );
  });
}

function encodeRequest(
  request: ModelRequest,
  { model, reasoningEffort, maxOutputTokens, temperature }: ChatSettings,
  quirks: ChatQuirks,
  { tools, codec }: ReturnType<typeof encodeTools>,
): ChatCompletionCreateParamsStreaming {
  const { instructions, messages, outputSchema, sessionId } = request;
  return {
    model,
    stream: true,
    ...(quirks.streamUsage && { stream_options: { include_usage: true } }),
    messages: encodeMessages(instructions, messages, codec, quirks),
    ...(tools.length > 0 && { tools }),
    ...(outputSchema && responseFormat(outputSchema, quirks)),
    ...(quirks.promptCacheKey && sessionId !== undefined && { prompt_cache_key: cacheKey(sessionId) }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...(maxOutputTokens !== undefined && { [quirks.maxTokensField]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}

function responseFormat(
  schema: NonNullable<ModelRequest["outputSchema"]>,
  quirks: ChatQuirks,
): Pick<ChatCompletionCreateParamsStreaming, "response_format"> {
  const format = outputFormat(schema);
  if (format === undefined || quirks.outputSchema === "none") return {};
  if (quirks.outputSchema === "json_object") return { response_format: { type: "json_object" } };
  return { response_format: { type: "json_schema", json_schema: format } };
}
