import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { AssistantPart, ContentPart, Message, ReasoningPart, ToolResultPart } from "@toycoder/core";
import { argumentsObject, fields, oncePer, type ToolCodec, validHistory } from "@toycoder/core/wire";
import { PROVIDER } from "./quirks.ts";
import { CALL_ID } from "./schema-rules.ts";

/** Encodes one message; the same message a second time without work. */
export type MessageEncoder = (message: Message) => readonly ContentBlockParam[];

/**
 * A conversation as messages of the Messages API: results of calls are the user's, first in their message, as the
 * API wants them. Thinking goes back as it came, signature included; reasoning of other providers is left out.
 */
export function encodeMessages(messages: readonly Message[], encode: MessageEncoder): MessageParam[] {
  const encoded: { role: "user" | "assistant"; content: ContentBlockParam[] }[] = [];
  for (const message of validHistory(messages, { callId: CALL_ID })) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = encode(message);
    if (content.length === 0) continue;
    const last = encoded.at(-1);
    if (last?.role === role) last.content.push(...content);
    else encoded.push({ role, content: [...content] });
  }
  return encoded;
}

export function messageEncoder(codec: ToolCodec): MessageEncoder {
  return oncePer((message: Message): ContentBlockParam[] => {
    switch (message.role) {
      case "user":
        return contentBlocks(message.content);
      case "assistant":
        return assistantBlocks(message.content, codec);
      case "tool":
        return message.results.map(resultBlock);
    }
  });
}

/** Blocks of white space alone are refused ("text content blocks must contain non-whitespace text"). */
const contentBlocks = (content: readonly ContentPart[]): (TextBlockParam | ImageBlockParam)[] =>
  content
    .filter((part) => part.type !== "text" || part.text.trim() !== "")
    .map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : {
            type: "image",
            source: { type: "base64", media_type: mediaType(part.mediaType), data: part.data },
          },
    );

type MediaType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
const MEDIA_TYPES: readonly MediaType[] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/** `image/jpg` is a common name for `image/jpeg`; the API judges any other. */
const mediaType = (type: string): MediaType => MEDIA_TYPES.find((known) => known === type) ?? "image/jpeg";

function assistantBlocks(parts: readonly AssistantPart[], codec: ToolCodec): ContentBlockParam[] {
  const blocks = parts.flatMap((part): ContentBlockParam[] => {
    switch (part.type) {
      case "text":
        return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
      case "reasoning":
        return thinkingBlock(part);
      case "tool_call":
        return [
          { type: "tool_use", id: part.id, name: codec.encodeName(part.name), input: argumentsObject(part) },
        ];
    }
  });
  // A message of thinking alone is no turn of the assistant.
  return blocks.every((block) => block.type === "thinking" || block.type === "redacted_thinking")
    ? []
    : blocks;
}

function thinkingBlock({ text, data }: ReasoningPart): ContentBlockParam[] {
  if (data?.provider !== PROVIDER) return [];
  const { type, signature, data: redacted } = fields(data.value);
  if (type === "thinking" && typeof signature === "string") return [{ type, thinking: text, signature }];
  return type === "redacted_thinking" && typeof redacted === "string" ? [{ type, data: redacted }] : [];
}

function resultBlock({ callId, ok, content }: ToolResultPart): ContentBlockParam {
  const blocks = contentBlocks(content);
  return {
    type: "tool_result",
    tool_use_id: callId,
    ...(blocks.length > 0 && { content: blocks }),
    ...(!ok && { is_error: true }),
  };
}
