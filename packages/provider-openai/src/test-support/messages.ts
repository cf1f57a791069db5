import { type AssistantPart, defineTool, type Message, text, type Tool } from "@toycoder/core";
import type * as z from "zod";

export const say = (value: string): Message => ({ role: "user", content: [text(value)] });

/** The answer that calls `read_file` under an id, and its result. */
export function called(
  id: string,
  more: Partial<Extract<AssistantPart, { type: "tool_call" }>> = {},
): Message[] {
  const name = "read_file";
  return [
    { role: "assistant", content: [{ type: "tool_call", id, name, arguments: "{}", ...more }] },
    { role: "tool", results: [{ callId: id, name, ok: true, content: [text("1: a")] }] },
  ];
}

/** A tool that takes what `input` says. */
export const toolOf = (input: z.ZodObject): Tool =>
  defineTool({ name: "probe", description: "Probe.", input, execute: () => "" }) as Tool;
