import { type Failure, isFailure, type ToolContext } from "@toycoder/core";
import type { Tool as AiSdkTool } from "ai";
import { ForeignOutput } from "../foreign-output.ts";
import { originalError } from "../original-error.ts";
import { decodeOutput } from "./decode-output.ts";

/** One call of an AI SDK tool, as the AI SDK makes it: there is no conversation, so `messages` is empty. */
export async function runAiSdkTool(
  tool: AiSdkTool,
  input: unknown,
  ctx: ToolContext,
  context: unknown,
): Promise<unknown> {
  const toolCallId = ctx.callId;
  const options = { toolCallId, messages: [], abortSignal: ctx.signal, context };
  let output: unknown;
  try {
    output = await lastOf(tool.execute?.(input, options));
  } catch (error) {
    throw originalError(error);
  }
  if (tool.toModelOutput === undefined) return output;
  const content = await decodeOutput(await tool.toModelOutput({ toolCallId, input, output }), ctx);
  return isFailure(content) ? (content satisfies Failure) : new ForeignOutput(output, content);
}

async function lastOf(result: unknown): Promise<unknown> {
  if (!isAsyncIterable(result)) return await result;
  let last: unknown;
  for await (const part of result) last = part;
  return last;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;
