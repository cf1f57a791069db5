import { errorInfo, type ErrorInfo, isToolError, messageOf, ToolError } from "../errors.ts";
import { approvalRules } from "../permission/approvals.ts";
import { resolveEffects, type ResolvedEffect } from "../permission/effect.ts";
import { type Decision, evaluate } from "../permission/evaluate.ts";
import type { ResolvedPath } from "../permission/workspace.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";

/** What the policy says of a call, and the effects that it said so for. */
export interface Judged {
  decision: Decision;
  effects: readonly ResolvedEffect[];
  /** Where each path of the effects was found to lead: the tool gets this answer again, whatever is there by then. */
  resolved: ReadonlyMap<string, ResolvedPath>;
}

/**
 * What the session's policy says of a call with valid input; nothing is asked and nothing runs.
 * Throws a ToolError where the tool cannot say what the call would do.
 */
export async function judge(session: Session, tool: Tool, input: unknown): Promise<Judged> {
  const resolved = new Map<string, ResolvedPath>();
  const effects = tool.effects === undefined ? [] : await effectsOf(session, tool, input, resolved);
  const decision = evaluate(session.policy, {
    tool: session.factsOf(tool),
    enabled: session.isEnabled(tool),
    effects,
    approvals: session.approvals,
  });
  return { decision, effects, resolved };
}

async function effectsOf(
  session: Session,
  tool: Tool,
  input: unknown,
  resolved: Map<string, ResolvedPath>,
): Promise<ResolvedEffect[]> {
  const { workspace, resolve } = session;
  try {
    const stated = (await tool.effects?.(input, { workspace, resolve })) ?? [];
    return resolveEffects(stated, (path) => {
      const place = workspace.resolve(path);
      resolved.set(path, place);
      return place;
    });
  } catch (error) {
    if (isToolError(error)) throw error;
    throw new ToolError(
      "execution_failed",
      `${tool.name} cannot say what the call would do: ${messageOf(error)}`,
    );
  }
}

export interface Authorization extends Judged {
  /** Why the call may not run; absent where it may. */
  refusal?: ErrorInfo;
}

/** Judges a call and asks the person where the policy says so. Without a person, `onAsk` answers. */
export async function authorize(
  session: Session,
  call: { tool: Tool; callId: string; input: unknown },
  signal: AbortSignal,
): Promise<Authorization> {
  const { tool } = call;
  const judged = await judge(session, tool, call.input);
  const { decision, effects } = judged;
  switch (decision.decision) {
    case "allow":
      return judged;
    case "disabled":
      return { ...judged, refusal: disabledRefusal(tool) };
    case "deny":
      return {
        ...judged,
        refusal: errorInfo(decision.code ?? "permission_denied", decision.reason, denyHint(decision)),
      };
    default:
  }
  const { approval } = session.ask;
  if (approval === undefined) {
    return session.policy.onAsk === "allow" ? judged : { ...judged, refusal: approvalRefusal(decision) };
  }
  const always = approvalRules(tool.name, effects);
  const answer = await approval({ ...call, decision, always }, signal);
  if (answer === "no") {
    return {
      ...judged,
      refusal: errorInfo("permission_denied", "the person at the terminal said no to this call"),
    };
  }
  if (answer === "always") for (const rule of always) session.approve(rule);
  return judged;
}

export function disabledRefusal({ name, permission }: Tool): ErrorInfo {
  const hint = `it is enabled by tools.enable in the config, by --enable ${name}, or by a rule with its name`;
  return errorInfo("tool_disabled", `${name} is ${permission} and not enabled`, hint);
}

function approvalRefusal({ reason, suggestions }: Decision): ErrorInfo {
  const message = `the call needs an approval and nobody is there to give it: ${reason}`;
  if (suggestions.length === 0) return errorInfo("approval_required", message);
  const rules = suggestions.map((rule) => JSON.stringify(rule)).join(", ");
  return errorInfo(
    "approval_required",
    message,
    `permissions.allow would need ${rules}; go on without this call`,
  );
}

const denyHint = ({ code }: Decision): string | undefined =>
  code === "outside_workspace"
    ? "use a path inside the workspace"
    : "this is settled; do not try it another way";
