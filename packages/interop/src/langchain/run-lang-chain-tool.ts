import { type ContentPart, fail, type Failure, type ToolContext } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";
import { ForeignOutput } from "../foreign-output.ts";
import { joinTexts } from "../join-texts.ts";
import { errorInfoOf, originalError } from "../original-error.ts";
import { decodeContent } from "./content-blocks.ts";
import type { LangChainOptions, LangChainTool } from "./lang-chain-tool.ts";

/** One call of a LangChain tool, as its agents make it: with a tool call, so that a ToolMessage comes back. */
export async function runLangChainTool(
  tool: LangChainTool,
  input: unknown,
  ctx: ToolContext,
  config: LangChainOptions["config"],
): Promise<ForeignOutput | Failure> {
  const call = { type: "tool_call", id: ctx.callId, name: tool.name, args: input };
  let returned: unknown;
  try {
    returned = await tool.invoke(call, { ...config, signal: ctx.signal, toolCallId: ctx.callId });
  } catch (error) {
    throw originalError(error);
  }
  return await decodeResult(returned, ctx);
}

async function decodeResult(returned: unknown, ctx: ToolContext): Promise<ForeignOutput | Failure> {
  const message = messageOf(returned, ctx.callId);
  if (message === undefined) return new ForeignOutput(returned, await decodeContent(returned, ctx));
  const content = await decodeContent(message.content, ctx);
  const { artifact, status } = message;
  if (status === "error") return failureOf(artifact, content);
  return new ForeignOutput(artifact ?? message.content, content);
}

function failureOf(artifact: unknown, content: readonly ContentPart[]): Failure {
  const info = errorInfoOf(isRecord(artifact) ? artifact.error : undefined);
  if (info === undefined)
    return fail("tool_failed", joinTexts(content) || "the tool says that it failed, and not why");
  return fail(info.code, info.message, info.hint === undefined ? {} : { hint: info.hint });
}

/** The ToolMessage: what was returned, or the one in a graph's Command that answers this call. */
function messageOf(returned: unknown, callId: string): Record<string, unknown> | undefined {
  if (!isRecord(returned)) return undefined;
  if (returned.lc_direct_tool_output === true && "content" in returned) return returned;
  const messages = isRecord(returned.update) ? returned.update.messages : undefined;
  if (!Array.isArray(messages)) return undefined;
  return messages.find((one): one is Record<string, unknown> => isRecord(one) && one.tool_call_id === callId);
}
