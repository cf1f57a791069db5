import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
} from "@anthropic-ai/sdk/resources/messages";

type Cached = Pick<MessageCreateParamsStreaming, "system" | "tools" | "messages">;

const MARK = { cache_control: { type: "ephemeral" } } as const;
const MARKED_TURNS = 2;

/**
 * The request with marks for the prompt cache: on the last tool, on the system prompt and on the last two
 * messages of the user (a turn's results), which is the four that the API allows. What is before a mark is read
 * from the cache at the next turn. Anthropic docs, Prompt caching.
 */
export function withCacheMarks({ system, tools, messages }: Cached): Cached {
  const turns = messages.flatMap(({ role }, index) => (role === "user" ? [index] : [])).slice(-MARKED_TURNS);
  return {
    ...(system !== undefined && { system }),
    ...(Array.isArray(system) && { system: markLast(system) }),
    ...(tools !== undefined && { tools: markLast(tools) }),
    messages: messages.map((message, index) => (turns.includes(index) ? markMessage(message) : message)),
  };
}

const markLast = <T extends object>(items: readonly T[]): T[] =>
  items.map((item, index) => (index === items.length - 1 ? { ...item, ...MARK } : item));

const markMessage = (message: MessageParam): MessageParam =>
  message.role !== "user" || typeof message.content === "string"
    ? message
    : { ...message, content: markLast<ContentBlockParam>(message.content) };
