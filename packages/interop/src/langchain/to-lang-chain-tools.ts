import { randomUUID } from "node:crypto";
import { ToolMessage } from "@langchain/core/messages";
import type { ToolRunnableConfig } from "@langchain/core/tools";
import { isToolError, type Session } from "@toycoder/core";
import { callArguments } from "../call-arguments.ts";
import { dispatchedOutput } from "../dispatched-output.ts";
import { type OfferedTool, offeredTools, type OfferOptions } from "../offered-tools.ts";
import { encodeContent } from "./content-blocks.ts";
import { SessionTool } from "./session-tool.ts";

/**
 * The session's enabled tools for LangChain's models and agents. Every call goes through `dispatch`: the session's
 * permissions, hooks and limits hold, and what asks is asked through the session. Invoked with a tool call, a tool
 * answers with a ToolMessage: what is refused or fails has the status `error`; its artifact has the tool's output, or
 * the error. Invoked with arguments alone it gives the content, and rejects with a ToolError.
 *
 * The tools are those of now: one that is disabled later refuses, one that is enabled later is not among them.
 * Disposing of the session stays with the caller.
 */
export function toLangChainTools(session: Session, options: OfferOptions = {}): SessionTool[] {
  return offeredTools(session, options).map((tool) => sessionTool(tool, session, options));
}

function sessionTool(
  { name, own, description, schema }: OfferedTool,
  session: Session,
  options: OfferOptions,
): SessionTool {
  return new SessionTool({
    name,
    description,
    schema,
    responseFormat: "content_and_artifact",
    func: async (input: unknown, _manager, config?: ToolRunnableConfig) => {
      const asked = config?.toolCall?.id;
      const call = { id: asked ?? `langchain_${randomUUID()}`, name: own, arguments: callArguments(input) };
      try {
        const { content, output } = await dispatchedOutput(call, session, options, config?.signal);
        return [encodeContent(content), { output }];
      } catch (error) {
        if (asked === undefined || !isToolError(error)) throw error;
        const artifact = { error: error.cause };
        return [
          new ToolMessage({ name, tool_call_id: asked, status: "error", content: String(error), artifact }),
          undefined,
        ];
      }
    },
  });
}
