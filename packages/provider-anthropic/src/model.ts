import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { type Model, type ModelRequest, SetupError, type Tool } from "@toycoder/core";
import { callModel, keepLast, modelFacts, type ModelSettings, onceMade } from "@toycoder/core/wire";
import { withCacheMarks } from "./cache-marks.ts";
import { configuredBaseURL, createClient } from "./client.ts";
import { decodeStream, unfold } from "./decode-stream.ts";
import { encodeMessages, type MessageEncoder, messageEncoder } from "./encode-messages.ts";
import { encodeTools } from "./encode-tools.ts";
import { knownFacts } from "./model-facts.ts";
import { outputFormat } from "./output-format.ts";
import { defaultMaxTokens, takesOutputFormat, thinkingParams } from "./quirks.ts";
import { serverEvents } from "./server-events.ts";

/**
 * A model behind Anthropic's Messages API; its id is `anthropic:MODEL`. Throws a SetupError `invalid_model` where
 * the settings name none, or a base URL that is no address; the stream throws a ModelError, `auth` before any request where there is no key.
 */
export function anthropic(settings: ModelSettings): Model {
  const { model } = settings;
  if (typeof model !== "string" || model.trim() === "") {
    throw new SetupError("invalid_model", "anthropic: the settings name no model", {
      hint: "write it after the provider: anthropic:MODEL",
    });
  }
  configuredBaseURL(settings);
  const facts = modelFacts(settings, { ...knownFacts(model), maxOutputTokens: defaultMaxTokens(model) });
  const client = onceMade(() => createClient(settings));
  const encode = keepLast((tools: readonly Tool[]) => {
    const encoded = encodeTools(tools);
    return { ...encoded, encodeMessage: messageEncoder(encoded.codec) };
  });
  return {
    id: `anthropic:${model}`,
    ...facts,
    async *stream(request, { signal }) {
      const { messages, failure } = await client();
      const encoded = encode(request.tools);
      if (encoded.skipped.length > 0) settings.onSkipped?.(encoded.skipped);
      const params = await encodeRequest(request, settings, encoded);
      yield* callModel(
        {
          send: (attempt) => messages.create(params, { signal: attempt }).asResponse(),
          events: serverEvents,
          unfold,
          decode: (events) => decodeStream(events, encoded.codec),
        },
        { signal, settings, failure, prices: facts.prices },
      );
    },
  };
}

async function encodeRequest(
  request: ModelRequest,
  { model, reasoningEffort, maxOutputTokens, temperature }: ModelSettings,
  { tools, encodeMessage }: Pick<ReturnType<typeof encodeTools>, "tools"> & { encodeMessage: MessageEncoder },
): Promise<MessageCreateParamsStreaming> {
  const maxTokens = maxOutputTokens ?? defaultMaxTokens(model);
  const { thinking, output_config: effort } = thinkingParams(model, reasoningEffort, maxTokens);
  const schema = takesOutputFormat(model) ? request.outputSchema : undefined;
  const format = schema && (await outputFormat(schema));
  const output = { ...effort, ...(format && { format }) };
  // With thinking the API takes no temperature of our own.
  const thinks = thinking !== undefined && thinking.type !== "disabled";
  return {
    model,
    stream: true,
    max_tokens: maxTokens,
    ...withCacheMarks({
      ...(request.instructions.trim() !== "" && { system: [{ type: "text", text: request.instructions }] }),
      ...(tools.length > 0 && { tools }),
      messages: encodeMessages(request.messages, encodeMessage),
    }),
    ...(thinking && { thinking }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...(temperature !== undefined && !thinks && { temperature }),
  };
}
