import { textHash } from "@toycoder/core/wire";
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionMessageToolCall,
} from "openai/resources/chat/completions";
import type { ChatQuirks } from "./quirks.ts";

/** What Google gives for calls that no Gemini has signed. Gemini docs, Thought Signatures, FAQ. */
const STAND_IN = { google: { thought_signature: "skip_thought_signature_validator" } };

type Assistant = ChatCompletionAssistantMessageParam & {
  reasoning_content?: string;
  reasoning?: string;
};
type Call = ChatCompletionMessageToolCall & { extra_content?: unknown };

/** Messages of Chat Completions as one server takes them. */
export function fitMessages(
  messages: readonly ChatCompletionMessageParam[],
  quirks: ChatQuirks,
): ChatCompletionMessageParam[] {
  const id = (given: string): string => (quirks.shortCallIds ? shortId(given) : given);
  const fitted: ChatCompletionMessageParam[] = [];
  for (const message of messages) {
    if (message.role === "assistant") fitted.push(fitAnswer(message, quirks, id));
    else if (message.role === "tool") fitted.push({ ...message, tool_call_id: id(message.tool_call_id) });
    else {
      const afterTool = message.role === "user" && fitted.at(-1)?.role === "tool";
      if (afterTool && quirks.assistantAfterTool) fitted.push({ role: "assistant", content: "I see." });
      fitted.push(message.role === "user" && !quirks.images ? withoutImages(message) : message);
    }
  }
  return fitted;
}

/** Mistral's answer to other ids: "must be a-z, A-Z, 0-9, with a length of 9". */
const shortId = (id: string): string => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : textHash(id, 9));

function fitAnswer(given: Assistant, quirks: ChatQuirks, id: (given: string) => string): Assistant {
  const { tool_calls: calls, ...rest } = given;
  const message: Assistant = { ...rest };
  if (calls !== undefined) message.tool_calls = fitCalls(calls, quirks, id);
  if (quirks.emptyContent === "text") message.content ??= "";
  if (quirks.returnReasoning === "required" && calls !== undefined) {
    const { reasoning, ...others } = message;
    return { ...others, reasoning_content: message.reasoning_content ?? reasoning ?? "" };
  }
  return message;
}

function fitCalls(calls: readonly Call[], quirks: ChatQuirks, id: (given: string) => string): Call[] {
  const signed = calls.some((call) => call.extra_content !== undefined);
  return calls.map(({ extra_content: extra, ...call }, index) => {
    const signature = index === 0 && !signed && quirks.thoughtSignatures === "required" ? STAND_IN : extra;
    const back = quirks.thoughtSignatures !== false && signature !== undefined;
    return { ...call, id: id(call.id), ...(back && { extra_content: signature }) };
  });
}

type UserMessage = Extract<ChatCompletionMessageParam, { role: "user" }>;

function withoutImages(message: UserMessage): UserMessage {
  if (typeof message.content === "string") return message;
  const texts = message.content.map((part: ChatCompletionContentPart) =>
    part.type === "text" ? part.text : "[An image stood here; this server's models take none.]",
  );
  return { ...message, content: texts.join("\n\n") };
}
