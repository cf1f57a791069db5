import type { Model, ModelRequest, Tool } from "@toycoder/core";
import { callModel, keepLast, modelFacts, type ModelSettings, onceMade } from "@toycoder/core/wire";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { cacheKey } from "../cache-key.ts";
import { createClient, enforcesStrict } from "../client.ts";
import { createModel } from "../create-model.ts";
import { knownFacts } from "../model-facts.ts";
import { outputFormat } from "../output-format.ts";
import { serverEvents } from "../server-events.ts";
import { decodeStream, unfold } from "./decode-stream.ts";
import { encodeMessages, type MessageEncoder, messageEncoder } from "./encode-messages.ts";
import { encodeTools } from "./encode-tools.ts";
import { reasoningParams, type ResponsesQuirks } from "./quirks.ts";

/** Settings of a Responses model. */
export interface ResponsesSettings extends ModelSettings {
  /** Where the server differs from OpenAI's. */
  quirks?: Partial<ResponsesQuirks>;
}

/**
 * A model behind OpenAI's Responses API; its id is `openai:MODEL`. The stream throws a ModelError: `auth` before
 * any request where there is no key.
 */
export function openAiResponses(settings: ResponsesSettings): Model {
  const facts = modelFacts(settings, knownFacts(settings.model));
  const client = onceMade(() => createClient(settings, { provider: "OpenAI", compatible: false }));
  const quirks = { strictTools: enforcesStrict(settings), ...settings.quirks };
  const encode = keepLast((tools: readonly Tool[]) => {
    const encoded = encodeTools(tools, quirks);
    return { ...encoded, encodeMessage: messageEncoder(encoded.codec) };
  });
  return createModel("openai", settings, facts, async function* (request, { signal }) {
    const { sdk, failure } = await client();
    const encoded = encode(request.tools);
    if (encoded.skipped.length > 0) settings.onSkipped?.(encoded.skipped);
    const params = encodeRequest(request, settings, encoded);
    yield* callModel(
      {
        send: (attempt) => sdk.responses.create(params, { signal: attempt }).asResponse(),
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
  { tools, encodeMessage }: Pick<ReturnType<typeof encodeTools>, "tools"> & { encodeMessage: MessageEncoder },
): ResponseCreateParamsStreaming {
  const format = request.outputSchema && outputFormat(request.outputSchema);
  return {
    model,
    stream: true,
    store: false,
    ...reasoningParams(model, reasoningEffort),
    ...(request.instructions !== "" && { instructions: request.instructions }),
    input: encodeMessages(request.messages, encodeMessage),
    ...(tools.length > 0 && { tools }),
    ...(format && { text: { format: { type: "json_schema", ...format } } }),
    ...(request.sessionId !== undefined && { prompt_cache_key: cacheKey(request.sessionId) }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}
