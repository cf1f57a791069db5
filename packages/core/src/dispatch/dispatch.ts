import { errorInfo, type ErrorInfo } from "../errors.ts";
import type { LaneClaim } from "../lanes.ts";
import type { ToolCall, ToolResult } from "../message.ts";
import { nearest } from "../nearest.ts";
import type { Decision } from "../permission/evaluate.ts";
import { describeProblems, validate } from "../schema/validate.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";
import { type Authorization, authorize, disabledRefusal, judge } from "./authorize.ts";
import { CallContext } from "./context.ts";
import { decodeArguments } from "./decode.ts";
import { cancelled, execute, startDeadline } from "./execute.ts";
import { failure, failureOf, finish } from "./finish.ts";

/** What a watcher of dispatch hears. `refusal` is the code with which a call was turned away. */
export type DispatchEvent =
  | { type: "decision"; callId: string; tool: string; input: unknown; decision: Decision; refusal?: string }
  | { type: "progress"; callId: string; tool: string; message: string };

export interface DispatchOptions {
  signal?: AbortSignal;
  observe?: (event: DispatchEvent) => void;
  /** The claims of the calls around this one, outermost first. */
  within?: readonly LaneClaim[];
}

const MAX_DEPTH = 8;

/**
 * The one way from a model's call to a tool's result. Never rejects: whatever goes wrong is a result that says so.
 */
export async function dispatch(
  call: ToolCall,
  session: Session,
  options: DispatchOptions = {},
): Promise<ToolResult> {
  try {
    if (options.signal?.aborted === true) throw cancelled();
    const args = decodeArguments(call);

    const tool = session.registry.get(call.name);
    if (tool === undefined) return failure(unknownTool(call.name, session));
    if (!session.isEnabled(tool)) return await refuseDisabled(call, session, tool, args, options);

    const missing = tool.requiresAuth.filter((name) => !session.credentials[name]);
    if (missing.length > 0) return failure(missingCredentials(tool, missing));

    const validated = await validate(args, tool.input, tool.jsonSchema);
    if (!validated.ok) return failure(errorInfo("invalid_arguments", describeProblems(validated.problems)));

    const hooked = await beforeHooks(session, tool, call.id, validated.value);
    if (!hooked.ok) return hooked.result;

    const authorized = await authorize(
      session,
      { tool, callId: call.id, input: hooked.input },
      options.signal ?? NEVER,
    );
    reportDecision(call.id, tool, hooked.input, authorized, options);
    if (authorized.refusal !== undefined) return failure(authorized.refusal);

    const result = await run(call.id, session, tool, hooked.input, authorized, options);
    return await afterHooks(session, tool, call.id, hooked.input, result);
  } catch (error) {
    return failureOf(error);
  }
}

const NEVER = new AbortController().signal;

async function run(
  callId: string,
  session: Session,
  tool: Tool,
  input: unknown,
  { effects }: Authorization,
  options: DispatchOptions,
): Promise<ToolResult> {
  const { observe, within = [] } = options;
  const writes = effects.flatMap((effect) => (effect.kind === "write" ? [effect.path.real] : []));
  const claim = { exclusive: tool.concurrency === "exclusive", writes, within };
  const leave = await session.lanes.enter(claim);
  const deadline = startDeadline(tool.timeoutFor(input), options.signal);
  const ctx = new CallContext({
    session,
    tool,
    callId,
    signal: deadline.signal,
    progress: (message) => observe?.({ type: "progress", callId, tool: tool.name, message }),
    dispatch: async (name, args) => {
      if (within.length >= MAX_DEPTH) {
        return failure(errorInfo("execution_failed", `calls are nested more than ${MAX_DEPTH} deep`));
      }
      const nested = { signal: deadline.signal, within: [...within, claim], ...(observe && { observe }) };
      return await dispatch({ id: `${callId}.${name}`, name, arguments: args }, session, nested);
    },
  });
  try {
    return await finish(session, tool, callId, await execute(tool, input, ctx, deadline));
  } catch (error) {
    return failureOf(error);
  } finally {
    deadline.clear();
    leave();
  }
}

function reportDecision(
  callId: string,
  tool: Tool,
  input: unknown,
  { decision, refusal }: Authorization,
  { observe }: DispatchOptions,
): void {
  const refused = refusal === undefined ? {} : { refusal: refusal.code };
  observe?.({ type: "decision", callId, tool: tool.name, input, decision, ...refused });
}

function unknownTool(name: string, session: Session): ErrorInfo {
  const names = session.tools().map((tool) => tool.name);
  const near = nearest(name, names);
  return errorInfo(
    "unknown_tool",
    `there is no tool ${JSON.stringify(name.slice(0, 200))}`,
    near.length > 0 ? `did you mean ${near.join(" or ")}?` : `tools are ${names.join(", ")}`,
  );
}

/** A disabled tool's call is still judged, so that the refusal can name the rule that would allow it. */
async function refuseDisabled(
  call: ToolCall,
  session: Session,
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  options: DispatchOptions,
): Promise<ToolResult> {
  const refusal = disabledRefusal(tool);
  const validated = await validate(args, tool.input, tool.jsonSchema);
  if (validated.ok) {
    const judged = await judge(session, tool, validated.value);
    reportDecision(call.id, tool, validated.value, { ...judged, refusal }, options);
  }
  return failure(refusal);
}

function missingCredentials(tool: Tool, names: readonly string[]): ErrorInfo {
  const list = names.join(", ");
  return errorInfo(
    "auth_missing",
    `${tool.name} needs the credential ${list}`,
    "set it in the environment or config",
  );
}

type Hooked = { ok: true; input: unknown } | { ok: false; result: ToolResult };

async function beforeHooks(
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

async function afterHooks(
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
