import type { AssistantPart, ContentPart, Message, ModelRequest, Tool } from "@toycoder/core";

const CHARACTERS_PER_TOKEN = 4;
/** What the providers' documentations give for an image of ordinary size. */
const IMAGE_TOKENS = 1600;

/** About how many tokens a text takes: four characters each, one for a Chinese or Japanese character. */
export function textTokens(value: string): number {
  let wide = 0;
  for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) >= 0x2e80) wide++;
  return (value.length - wide) / CHARACTERS_PER_TOKEN + wide;
}

/** Estimates conversations, each message once: they don't change while a run goes on. */
export class TokenEstimate {
  readonly #known = new WeakMap<Message, number>();

  messages(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.#message(message), 0);
  }

  /** What a request holds beside its messages. */
  frame({ instructions, tools }: ModelRequest): number {
    return textTokens(instructions) + textTokens(tools.map(describeTool).join(""));
  }

  #message(message: Message): number {
    let tokens = this.#known.get(message);
    if (tokens === undefined) {
      const parts: readonly (AssistantPart | ContentPart)[] =
        message.role === "tool" ? message.results.flatMap(({ content }) => content) : message.content;
      tokens = parts.reduce((sum, part) => sum + partTokens(part), 0);
      this.#known.set(message, tokens);
    }
    return tokens;
  }
}

function describeTool(tool: Tool): string {
  try {
    return `${tool.name}${tool.description}${JSON.stringify(tool.jsonSchema)}`;
  } catch {
    // It has no schema that could be sent, so that it isn't offered.
    return "";
  }
}

function partTokens(part: AssistantPart | ContentPart): number {
  if (part.type === "image") return IMAGE_TOKENS;
  if (part.type !== "tool_call") return textTokens(part.text);
  const { name, arguments: args } = part;
  return textTokens(name) + textTokens(typeof args === "string" ? args : JSON.stringify(args));
}
