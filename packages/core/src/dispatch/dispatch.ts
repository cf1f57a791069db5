import { checkDependencies, describeDependency } from "../check-dependencies.ts";
import { rangeOf } from "../dependency.ts";
import { errorInfo, type ErrorInfo } from "../errors.ts";
import type { LaneClaim } from "../lanes.ts";
import type { ToolCall, ToolResult } from "../message.ts";
import { nearest } from "../nearest.ts";
import type { Decision } from "../permission/evaluate.ts";
import { describeProblems, validate } from "../schema/validate.ts";
import type { Session } from "../session.ts";
import type { Deprecation, Tool } from "../tool.ts";
import { type Authorization, authorize, disabledRefusal, judge } from "./authorize.ts";
import { CallContext } from "./context.ts";
import { decodeArguments, REPAIRED_NOTE, repairedRefusal } from "./decode.ts";
import { afterHooks, beforeHooks } from "./run-hooks.ts";
import { cancelled, Deadline } from "./deadline.ts";
import { failure, failureOf, finish, seal } from "./finish.ts";

/** What a watcher of dispatch hears. `refusal` is the code with which a call was turned away. */
export type DispatchEvent =
  | { type: "decision"; callId: string; tool: string; input: unknown; decision: Decision; refusal?: string }
  | { type: "progress"; callId: string; tool: string; message: string };

/** How a call is dispatched. */
export interface DispatchOptions {
  signal?: AbortSignal;
  observe?: (event: DispatchEvent) => void;
  /** The model's answer was cut off: arguments that are broken are not repaired. */
  cutOff?: boolean;
  /** The semver range that the called version must lie in. Default: the active version. */
  range?: string;
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
  const notes: string[] = [];
  const result = await answer(call, session, options, notes).catch(failureOf);
  return seal(session, result, notes);
}

/** The calls of one turn: side by side as far as they may be, their results in call order. */
export function dispatchAll(
  calls: readonly ToolCall[],
  session: Session,
  options: DispatchOptions = {},
): Promise<ToolResult[]> {
  return Promise.all(calls.map((call) => dispatch(call, session, options)));
}

/** The stages, in their order. */
async function answer(
  call: ToolCall,
  session: Session,
  options: DispatchOptions,
  notes: string[],
): Promise<ToolResult> {
  if (options.signal?.aborted === true) throw cancelled();
  const { args, repaired } = await decodeArguments(call, options);

  const tool = session.registry.get(call.name, options.range);
  if (tool === undefined) return failure(unknownTool(call.name, session));
  if (!session.isEnabled(tool)) return await refuseDisabled(call, session, tool, args, options);
  if (repaired) {
    if (tool.permission !== "safe") throw repairedRefusal(tool.name);
    notes.push(REPAIRED_NOTE);
  }
  const deprecation = session.registry.deprecation(tool.name);
  if (deprecation !== undefined) notes.push(describeDeprecation(tool.name, deprecation));

  const lacking = lackingOf(tool, session);
  if (lacking !== undefined) return failure(lacking);

  const validated = await validate(args, tool.input, tool.jsonSchema);
  if (!validated.ok) return failure(errorInfo("invalid_arguments", describeProblems(validated.problems)));

  const hooked = await beforeHooks(session, tool, call.id, validated.value);
  if (!hooked.ok) return hooked.result;

  const { input } = hooked;
  const authorized = await authorize(session, { tool, callId: call.id, input }, options.signal ?? NEVER);
  reportDecision(call.id, tool, input, authorized, options);
  if (authorized.refusal !== undefined) return failure(authorized.refusal);

  const result = await run(call.id, session, tool, input, authorized, options);
  return await afterHooks(session, tool, call.id, input, result);
}

const NEVER = new AbortController().signal;

async function run(
  callId: string,
  session: Session,
  tool: Tool,
  input: unknown,
  { effects, resolved }: Authorization,
  options: DispatchOptions,
): Promise<ToolResult> {
  const { observe, within = [] } = options;
  const writes = effects.flatMap((effect) => (effect.kind === "write" ? [effect.path.real] : []));
  const claim = { exclusive: tool.concurrency === "exclusive", writes, within };
  const entering = tool.concurrency === "none" ? NO_PLACE : session.lanes.enter(claim);
  const leave = entering instanceof Promise ? await entering : entering;
  const deadline = new Deadline(tool.timeoutFor(input), options.signal);
  const ctx = new CallContext({
    session,
    tool,
    callId,
    deadline,
    resolved,
    progress: (message) => {
      observe?.({ type: "progress", callId, tool: tool.name, message: session.mask(message) });
    },
    dispatch: async (name, args) => {
      if (within.length >= MAX_DEPTH) {
        return failure(errorInfo("execution_failed", `calls are nested more than ${MAX_DEPTH} deep`));
      }
      const needed = Object.hasOwn(tool.dependencies, name) ? tool.dependencies[name] : undefined;
      const nested = {
        signal: deadline.signal,
        within: [...within, claim],
        ...(observe && { observe }),
        ...(needed !== undefined && { range: rangeOf(needed) }),
      };
      return await dispatch({ id: `${callId}.${name}`, name, arguments: args }, session, nested);
    },
  });
  try {
    if (options.signal?.aborted === true) throw cancelled();
    const returned = tool.execute(input, ctx);
    return await finish(
      session,
      tool,
      callId,
      isPromise(returned) ? await deadline.race(returned) : returned,
    );
  } catch (error) {
    return failureOf(error);
  } finally {
    deadline.clear();
    leave();
  }
}

const NO_PLACE = (): void => {};

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

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

/** What a tool needs and does not have: other tools, credentials. */
function lackingOf(tool: Tool, session: Session): ErrorInfo | undefined {
  if (Object.keys(tool.dependencies).length > 0) {
    const problems = checkDependencies(tool, session.registry).filter(({ kind }) => kind !== "cycle");
    if (problems.length > 0)
      return errorInfo("dependency_missing", problems.map(describeDependency).join("; "));
  }
  const missing = tool.requiresAuth.filter((name) => !session.credentials[name]).join(", ");
  if (missing === "") return undefined;
  return errorInfo(
    "auth_missing",
    `${tool.name} needs the credential ${missing}`,
    "set it in the environment or config",
  );
}

function describeDeprecation(name: string, { replacement, reason }: Deprecation): string {
  return `${name} is deprecated${reason === undefined ? "" : ` (${reason})`}; use ${replacement} instead`;
}
