import { defineTool, type Tool } from "@toycoder/core";
import * as z from "zod";

/** What `ask_user` takes. */
export interface AskUserInput {
  question: string;
  /** Answers to choose from; empty for a free answer. */
  options: string[];
}

/** Asks through the session. Resolves to the answer's text; throws a ToolError `no_user` where nobody is there. */
export const askUser: Tool<AskUserInput, string> = defineTool({
  name: "ask_user",
  description:
    "Ask the person a question and wait; returns the answer. Only when the task cannot go on without it.",
  input: z.object({
    question: z.string().trim().min(1),
    options: z.array(z.string().min(1)).default([]).describe("Answers to choose from"),
  }),
  permission: "safe",
  category: "interaction",
  tags: ["question", "提问", "质問"],
  // A person takes the time that they take, and is asked one thing at a time.
  timeoutMs: false,
  concurrency: "exclusive",
  execute: ({ question, options }, ctx) => ctx.ask(question, options),
});
