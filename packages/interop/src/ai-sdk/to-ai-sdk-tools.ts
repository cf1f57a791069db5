import type { ContentPart, Session } from "@toycoder/core";
import { jsonSchema, type JSONSchema7, type Tool, type ToolSet } from "ai";
import { callArguments } from "../call-arguments.ts";
import { type DispatchedOutput, dispatchedOutput } from "../dispatched-output.ts";
import { type OfferedTool, offeredTools, type OfferOptions } from "../offered-tools.ts";

/**
 * The session's enabled tools for `generateText`, `streamText` and agents of the AI SDK. Every call goes through
 * `dispatch`: the session's permissions, hooks and limits hold, and what asks is asked through the session. A call
 * that is refused or fails is thrown, which the AI SDK tells its model as an error of the tool, and goes on.
 *
 * The tools are those of now: one that is disabled later refuses, one that is enabled later is not among them.
 * Disposing of the session stays with the caller.
 */
export function toAiSdkTools(session: Session, options: OfferOptions = {}): ToolSet {
  const tools = offeredTools(session, options);
  return Object.fromEntries(tools.map((tool) => [tool.name, aiSdkTool(tool, session, options)]));
}

function aiSdkTool(
  { own, description, schema }: OfferedTool,
  session: Session,
  options: OfferOptions,
): Tool<unknown, DispatchedOutput> {
  return {
    description,
    // Without a validation: dispatch does that, in words that a model can use.
    inputSchema: jsonSchema(schema as JSONSchema7),
    execute: (input, { toolCallId, abortSignal }) =>
      dispatchedOutput(
        { id: toolCallId, name: own, arguments: callArguments(input) },
        session,
        options,
        abortSignal,
      ),
    toModelOutput: ({ output }) => ({ type: "content", value: output.content.map(encodePart) }),
  };
}

const encodePart = (part: ContentPart): ContentOutput["value"][number] =>
  part.type === "image"
    ? { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } }
    : { type: "text", text: part.text };

type ModelOutput = Awaited<ReturnType<NonNullable<Tool["toModelOutput"]>>>;
type ContentOutput = Extract<ModelOutput, { type: "content" }>;
