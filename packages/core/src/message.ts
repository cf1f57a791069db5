import type { ErrorInfo } from "./errors.ts";

/** Text, of a person, a model or a tool. */
export interface TextPart {
  type: "text";
  text: string;
}

/** `data` is base64; `mediaType` is image/png, image/jpeg, image/gif or image/webp. */
export interface ImagePart {
  type: "image";
  mediaType: string;
  data: string;
}

/** A part of a message to a model, or of a tool's result. */
export type ContentPart = TextPart | ImagePart;

/** What a provider wants back untouched at the next turn (a thinking signature, encrypted reasoning). */
export interface ProviderData {
  provider: string;
  value: unknown;
}

/** A model's request for a tool. `arguments` is the JSON text as the model wrote it, or the object itself. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string | Readonly<Record<string, unknown>>;
  data?: ProviderData;
}

/** Reasoning that a model shows; its `data` goes back untouched. */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  data?: ProviderData;
}

/** A tool call in a model's answer. */
export interface ToolCallPart extends ToolCall {
  type: "tool_call";
}

/** A part of what a model answered. */
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

/** What came back for one tool call; `code` is the error code where `ok` is false. */
export interface ToolResultPart {
  callId: string;
  name: string;
  ok: boolean;
  code?: string;
  content: readonly ContentPart[];
}

/** A message of a conversation. The results of a turn's calls are one, after the one with the calls. */
export type Message =
  | { role: "user"; content: readonly ContentPart[] }
  | { role: "assistant"; content: readonly AssistantPart[] }
  | { role: "tool"; results: readonly ToolResultPart[] };

/** What dispatch gives back for a call. `content` is what the model sees, `output` what the tool returned. */
export type ToolResult =
  | { ok: true; content: ContentPart[]; output: unknown; notes: string[] }
  | { ok: false; error: ErrorInfo; content: ContentPart[]; notes: string[] };

/** A text as a content part. */
export const text = (value: string): TextPart => ({ type: "text", text: value });

/** The text parts joined, for logs and comparisons; other parts are left out. */
export function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}
