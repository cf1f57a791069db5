import { type AssistantPart, type ContentPart, type Message, textOf } from "@toycoder/core";
import { argumentsObject, fields, oncePer, type ToolCodec, validHistory } from "@toycoder/core/wire";
import type {
  ResponseInputMessageContentList,
  ResponseInputItem,
  ResponseReasoningItem,
} from "openai/resources/responses/responses";
import { CALL_ID } from "../schema-rules.ts";
import { PROVIDER } from "./quirks.ts";

/** Encodes one message, which may become several items; the same message a second time without work. */
export type MessageEncoder = (message: Message) => readonly ResponseInputItem[];

/** A conversation as input items of the Responses API. Reasoning of other providers is left out. */
export const encodeMessages = (messages: readonly Message[], encode: MessageEncoder): ResponseInputItem[] =>
  validHistory(messages, { callId: CALL_ID }).flatMap(encode);

export function messageEncoder(codec: ToolCodec): MessageEncoder {
  return oncePer((message: Message): ResponseInputItem[] => {
    switch (message.role) {
      case "user":
        return [{ role: "user", content: contentItems(message.content) }];
      case "assistant":
        return assistantItems(message.content, codec);
      case "tool":
        return message.results.map(({ callId, content }) => ({
          type: "function_call_output",
          call_id: callId,
          output: content.some((part) => part.type === "image") ? contentItems(content) : textOf(content),
        }));
    }
  });
}

function contentItems(content: readonly ContentPart[]): ResponseInputMessageContentList {
  return content.map((part) =>
    part.type === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", detail: "auto", image_url: `data:${part.mediaType};base64,${part.data}` },
  );
}

function assistantItems(parts: readonly AssistantPart[], codec: ToolCodec): ResponseInputItem[] {
  const items = parts.flatMap((part): ResponseInputItem[] => {
    switch (part.type) {
      case "text":
        return [{ role: "assistant", content: part.text }];
      case "reasoning": {
        const item = part.data?.provider === PROVIDER ? reasoningItem(part.data.value) : undefined;
        return item === undefined ? [] : [item];
      }
      case "tool_call": {
        const text = JSON.stringify(argumentsObject(part));
        return [
          { type: "function_call", call_id: part.id, name: codec.encodeName(part.name), arguments: text },
        ];
      }
    }
  });
  // A reasoning item that nothing follows is refused ("without its required following item").
  while (items.at(-1)?.type === "reasoning") items.pop();
  return items;
}

/** The item as the API gave it, without its status, which belongs to that answer. */
function reasoningItem(value: unknown): ResponseReasoningItem | undefined {
  const { type, id, summary, encrypted_content: encrypted } = fields(value);
  if (type !== "reasoning" || typeof id !== "string" || typeof encrypted !== "string") return undefined;
  return {
    type,
    id,
    summary: Array.isArray(summary) ? (summary as ResponseReasoningItem["summary"]) : [],
    encrypted_content: encrypted,
  };
}
