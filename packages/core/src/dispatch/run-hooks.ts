import { errorInfo } from "../errors.ts";
import type { ToolResult } from "../message.ts";
import { describeProblems, validate } from "../schema/validate.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";
import { failure } from "./finish.ts";

/** What the hooks before a call made of it. */
export type Hooked = { ok: true; input: unknown } | { ok: false; result: ToolResult };

/** Asks every hook in turn. Throws what a hook throws. */
export async function beforeHooks(
  session: Session,
  tool: Tool,
  callId: string,
  validated: unknown,
): Promise<Hooked> {
  let input = validated;
  for (const { beforeToolCall } of session.hooks) {
    const answer = await beforeToolCall?.({ tool, callId, sessionId: session.id, input });
    if (answer === undefined) continue;
    if ("deny" in answer) return { ok: false, result: failure(errorInfo("permission_denied", answer.deny)) };
    const again = await validate(answer.arguments, tool.input, tool.jsonSchema);
    if (!again.ok) {
      const message = `a hook replaced the arguments by wrong ones: ${describeProblems(again.problems)}`;
      return { ok: false, result: failure(errorInfo("invalid_arguments", message)) };
    }
    input = again.value;
  }
  return { ok: true, input };
}

/** Lets every hook see the result, and replace it. Throws what a hook throws. */
export async function afterHooks(
  session: Session,
  tool: Tool,
  callId: string,
  input: unknown,
  result: ToolResult,
): Promise<ToolResult> {
  let current = result;
  for (const { afterToolCall } of session.hooks) {
    current = (await afterToolCall?.({ tool, callId, sessionId: session.id, input }, current)) ?? current;
  }
  return current;
}
