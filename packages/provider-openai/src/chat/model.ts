import { type Model, type ModelRequest, SetupError, type Tool } from "@toycoder/core";
import {
  callModel,
  keepLast,
  type ModelFacts,
  modelFacts,
  type ModelSettings,
  onceMade,
} from "@toycoder/core/wire";
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
} from "openai/resources/chat/completions";
import { cacheKey } from "../cache-key.ts";
import { type ClientRules, configuredBaseURL, createClient, enforcesStrict } from "../client.ts";
import { createModel } from "../create-model.ts";
import { knownFacts } from "../model-facts.ts";
import { type OutputFormat, outputFormat } from "../output-format.ts";
import { serverEvents } from "../server-events.ts";
import { checkQuirks, quirksFor, type ServerName } from "../servers.ts";
import { decodeStream, unfold } from "./decode-stream.ts";
import { encodeMessages, type MessageEncoder, messageEncoder } from "./encode-messages.ts";
import { encodeTools } from "./encode-tools.ts";
import { effortParams } from "./effort.ts";
import { fitMessages } from "./fit-messages.ts";
import { fitSchema } from "./fit-schema.ts";
import { type ChatQuirks, OPENAI_QUIRKS } from "./quirks.ts";
import { explained } from "./server-hints.ts";

/** Settings of a Chat Completions model. */
export interface ChatSettings extends ModelSettings {
  /** Where the server differs from what its kind does by default. */
  quirks?: Partial<ChatQuirks>;
}

/** Settings of a model on a server that speaks Chat Completions in its own way. */
export interface CompatibleSettings extends ModelSettings {
  /** The server, or single differences from the one that the base URL's host tells; default: by that host. */
  quirks?: ServerName | Partial<ChatQuirks>;
}

/** A model behind OpenAI's Chat Completions; its id is `openai-chat:MODEL`. Fails like `openAiResponses`. */
export function openAiChat(settings: ChatSettings): Model {
  checkQuirks(settings.quirks);
  const quirks = { ...OPENAI_QUIRKS, strictTools: enforcesStrict(settings), ...settings.quirks };
  const rules = { provider: "OpenAI", compatible: false };
  return chatModel("openai-chat", settings, quirks, rules, knownFacts(settings.model));
}

/**
 * A model behind any server that speaks Chat Completions; its id is `openai-compatible:MODEL`. A key is sent where
 * there is one for that server: OpenAI's goes nowhere else. Throws a SetupError `invalid_model` without a base URL
 * and for quirks that nobody knows.
 */
export function openAiCompatible(settings: CompatibleSettings): Model {
  const baseURL = configuredBaseURL(settings);
  if (baseURL === undefined) {
    throw new SetupError("invalid_model", `openai-compatible:${settings.model} needs the server's base URL`, {
      hint: "set baseURL (or --base-url, or OPENAI_BASE_URL), as in http://127.0.0.1:11434/v1",
    });
  }
  const quirks = quirksFor(baseURL, settings.quirks);
  return chatModel("openai-compatible", settings, quirks, { provider: "the server", compatible: true });
}

function chatModel(
  id: string,
  settings: ModelSettings,
  quirks: ChatQuirks,
  rules: ClientRules,
  known?: ModelFacts,
): Model {
  const facts = modelFacts(settings, known);
  const client = onceMade(() => createClient(settings, rules));
  const encode = keepLast((tools: readonly Tool[]) => {
    const encoded = encodeTools(tools, quirks);
    return { ...encoded, encodeMessage: messageEncoder(encoded.codec, quirks) };
  });
  return createModel(id, settings, facts, async function* (request, { signal }) {
    const { sdk, failure } = await client();
    const encoded = encode(request.tools);
    if (encoded.skipped.length > 0) settings.onSkipped?.(encoded.skipped);
    const params = encodeRequest(request, settings, quirks, encoded);
    yield* callModel(
      {
        send: (attempt) => explained(sdk.chat.completions.create(params, { signal: attempt }).asResponse()),
        events: serverEvents,
        unfold,
        decode: (events) => decodeStream(events, encoded.codec),
      },
      { signal, settings, failure, prices: facts.prices },
    );
  });
}

function encodeRequest(
  request: ModelRequest,
  { model, reasoningEffort, maxOutputTokens, temperature }: ModelSettings,
  quirks: ChatQuirks,
  { tools, encodeMessage }: Pick<ReturnType<typeof encodeTools>, "tools"> & { encodeMessage: MessageEncoder },
): ChatCompletionCreateParamsStreaming {
  const { messages, outputSchema, sessionId } = request;
  const format = outputSchema && outputFormat(outputSchema);
  const shape = format && responseFormat(format, quirks, tools.length);
  // Where the format doesn't hold the schema, the instructions do; with the word that JSON mode asks for.
  const inWords = format !== undefined && shape?.type !== "json_schema";
  const instructions = inWords ? withSchema(request.instructions, format) : request.instructions;
  return {
    model,
    stream: true,
    ...(quirks.streamUsage && { stream_options: { include_usage: true } }),
    messages: fitMessages(encodeMessages(instructions, messages, encodeMessage), quirks),
    ...(tools.length > 0 && { tools: tools.map((tool) => fitTool(tool, quirks)) }),
    ...(shape && { response_format: shape }),
    ...(quirks.promptCacheKey && sessionId !== undefined && { prompt_cache_key: cacheKey(sessionId) }),
    ...(reasoningEffort !== undefined && effortParams(reasoningEffort, quirks.effort)),
    ...(maxOutputTokens !== undefined && { [quirks.maxTokensField]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}

function fitTool(tool: ChatCompletionFunctionTool, { schemas }: ChatQuirks): ChatCompletionFunctionTool {
  const { parameters = {}, ...named } = tool.function;
  const fitted = fitSchema(parameters, schemas);
  return { ...tool, function: { ...named, ...(fitted && { parameters: fitted }) } };
}

function responseFormat(
  format: OutputFormat,
  { outputSchema, outputSchemaWithTools, schemas }: ChatQuirks,
  tools: number,
): ChatCompletionCreateParamsStreaming["response_format"] {
  if (outputSchema === "none" || (tools > 0 && !outputSchemaWithTools)) return undefined;
  if (outputSchema === "json_object") return { type: "json_object" };
  const schema = fitSchema(format.schema, schemas);
  return schema && { type: "json_schema", json_schema: { ...format, schema } };
}

const withSchema = (instructions: string, { schema }: OutputFormat): string =>
  `${instructions}\n\nYour final answer is JSON and nothing else, and fits this JSON Schema:\n${JSON.stringify(schema)}`.trim();
