import {
  type AssistantPart,
  type ContentPart,
  type ImagePart,
  type Message,
  textOf,
  type ToolCallPart,
  type ToolResultPart,
} from "@toycoder/core";
import { argumentsObject, fields, oncePer, type ToolCodec, validHistory } from "@toycoder/core/wire";
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionContentPartImage,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { CALL_ID } from "../schema-rules.ts";
import { type ChatQuirks, PROVIDER, REASONING_FIELDS } from "./quirks.ts";

/** Encodes one message, which may become several; the same message a second time without work. */
export type MessageEncoder = (message: Message) => readonly ChatCompletionMessageParam[];

export function messageEncoder(
  codec: ToolCodec,
  { returnReasoning }: Pick<ChatQuirks, "returnReasoning">,
): MessageEncoder {
  return oncePer((message: Message): ChatCompletionMessageParam[] => {
    switch (message.role) {
      case "user":
        return [{ role: "user", content: userContent(message.content) }];
      case "assistant":
        return assistantMessage(message.content, codec, returnReasoning);
      case "tool":
        return [...message.results.map(toolMessage), ...imagesOf(message.results)];
    }
  });
}

/**
 * A conversation as messages of Chat Completions. Text alone goes as a string, which every server takes. What the
 * user says in a row is one message: some models' templates want the roles to take turns.
 */
export function encodeMessages(
  instructions: string,
  messages: readonly Message[],
  encode: MessageEncoder,
): ChatCompletionMessageParam[] {
  const system: ChatCompletionMessageParam[] =
    instructions === "" ? [] : [{ role: "system", content: instructions }];
  return [...system, ...joinUserMessages(validHistory(messages, { callId: CALL_ID }).flatMap(encode))];
}

type UserMessage = Extract<ChatCompletionMessageParam, { role: "user" }>;

function joinUserMessages(messages: readonly ChatCompletionMessageParam[]): ChatCompletionMessageParam[] {
  const joined: ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role !== "user" || last?.role !== "user") joined.push(message);
    else joined[joined.length - 1] = { role: "user", content: joinContents(last.content, message.content) };
  }
  return joined;
}

function joinContents(a: UserMessage["content"], b: UserMessage["content"]): UserMessage["content"] {
  if (typeof a === "string" && typeof b === "string") return `${a}\n\n${b}`;
  return [...partsOf(a), ...partsOf(b)];
}

const partsOf = (content: UserMessage["content"]): ChatCompletionContentPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

function userContent(content: readonly ContentPart[]): string | ChatCompletionContentPart[] {
  if (content.every((part) => part.type === "text")) return content.map((part) => part.text).join("\n\n");
  return content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : image(part)));
}

const image = ({ mediaType, data }: ImagePart): ChatCompletionContentPartImage => ({
  type: "image_url",
  image_url: { url: `data:${mediaType};base64,${data}` },
});

function assistantMessage(
  parts: readonly AssistantPart[],
  codec: ToolCodec,
  returnReasoning: ChatQuirks["returnReasoning"],
): ChatCompletionMessageParam[] {
  const content = textOf(parts.filter((part) => part.type === "text"));
  const calls = parts
    .filter((part) => part.type === "tool_call")
    .map((call) => ({
      id: call.id,
      type: "function" as const,
      function: { name: codec.encodeName(call.name), arguments: JSON.stringify(argumentsObject(call)) },
      ...extraContent(call),
    }));
  if (content === "" && calls.length === 0) return [];
  const message: ChatCompletionAssistantMessageParam = {
    role: "assistant",
    content: content === "" ? null : content,
  };
  if (calls.length > 0) message.tool_calls = calls;
  return [
    returnReasoning !== false && calls.length > 0 ? { ...message, ...reasoningFields(parts) } : message,
  ];
}

/** DeepSeek docs, Thinking Mode: reasoning goes back within the tool calls of a turn, in its own field. */
function reasoningFields(parts: readonly AssistantPart[]): Record<string, unknown> {
  const back = new Map<string, string>();
  for (const part of parts) {
    if (part.type !== "reasoning" || part.data?.provider !== PROVIDER) continue;
    const { field: given, details } = fields(part.data.value);
    // OpenRouter's details hold the text, too.
    if (Array.isArray(details)) return { reasoning_details: details };
    const field = REASONING_FIELDS.find((name) => name === given);
    if (field !== undefined) back.set(field, (back.get(field) ?? "") + part.text);
  }
  return Object.fromEntries(back);
}

/** Gemini docs, Thought Signatures: the signature goes back with its call, in `extra_content`. */
function extraContent({ data }: ToolCallPart): { extra_content?: unknown } {
  const { extra_content: extra } = data?.provider === PROVIDER ? fields(data.value) : {};
  return extra === undefined ? {} : { extra_content: extra };
}

function toolMessage({ callId, content }: ToolResultPart): ChatCompletionMessageParam {
  const text = textOf(content);
  const onlyImages = text === "" && content.length > 0;
  return {
    role: "tool",
    tool_call_id: callId,
    content: onlyImages ? "The result is the image that follows." : text,
  };
}

/** A tool message holds text only, so the images of a turn's results follow together, as the user's. */
function imagesOf(results: readonly ToolResultPart[]): ChatCompletionMessageParam[] {
  const content = results.flatMap(({ name, callId, content }): ChatCompletionContentPart[] => {
    const images = content.filter((part) => part.type === "image").map(image);
    return images.length === 0
      ? []
      : [{ type: "text", text: `From the result of ${name} (${callId}):` }, ...images];
  });
  return content.length === 0 ? [] : [{ role: "user", content }];
}
