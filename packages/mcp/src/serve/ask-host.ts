import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Ask,
  messageOf,
  type Session,
  ToolError,
} from "@toycoder/core";
import { approvalText, plainText } from "./approval-text.ts";

export interface HostQuestions {
  /** Whether the host can ask the person. */
  canAsk: () => boolean;
  /** Puts a form to the person. */
  elicit: (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>;
  /** The session that asks. */
  session: () => Session;
  /** Whether approvals are asked for. */
  approvals: boolean;
}

/** Asks the person through the host, where the host can: approvals one after the other, as an answer may cover more. */
export function askHost(questions: HostQuestions): Ask {
  const { canAsk, approvals } = questions;
  let last: Promise<unknown> = Promise.resolve();
  const approval = (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> => {
    const answer = last.then(() => askApproval(questions, request, signal));
    last = answer.catch(() => {});
    return answer;
  };
  const question = (text: string, options: readonly string[], signal: AbortSignal): Promise<string> =>
    askQuestion(questions, text, options, signal);
  return {
    get approval() {
      return approvals && canAsk() ? approval : undefined;
    },
    get question() {
      return canAsk() ? question : undefined;
    },
  };
}

async function askApproval(
  { session, elicit }: HostQuestions,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalAnswer> {
  const { approvals, mask } = session();
  const rules = new Set(approvals.map(({ source }) => source));
  if (request.always.every((rule) => rules.has(rule))) return "once";
  const always = request.always.map((rule) => plainText(rule)).join(" and ");
  const form: ElicitRequestFormParams = {
    message: mask(approvalText(request)),
    requestedSchema: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          title: "May it?",
          description: mask(
            `once: this call; always: until the server ends, it adds the rule ${always}; no: not at all`,
          ),
          enum: ["once", "always", "no"],
        },
      },
      required: ["answer"],
    },
  };
  const suggested = request.decision.suggestions.map((rule) => JSON.stringify(rule)).join(", ");
  const { action, content } = await elicit(form, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ToolError("approval_required", `the host could not ask the person: ${messageOf(error)}`, {
      hint: `permissions.allow would need ${suggested}; go on without this call`,
    });
  });
  const answer = action === "accept" ? content?.["answer"] : undefined;
  if (answer === "once" || answer === "always") return answer;
  const how =
    action === "cancel" ? "closed the question about this call without an answer" : "said no to this call";
  throw new ToolError("permission_denied", `the person, or the host for them, ${how}`, {
    hint: `this is settled; do not try it another way (a person may put ${suggested} in permissions.allow)`,
  });
}

async function askQuestion(
  { elicit }: HostQuestions,
  question: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const chosen = options.length > 0;
  const form: ElicitRequestFormParams = {
    message: plainText(question),
    requestedSchema: {
      type: "object",
      properties: {
        ...(chosen && { answer: { type: "string", title: "Answer", enum: [...new Set(options)] } }),
        [chosen ? "other" : "answer"]: { type: "string", title: chosen ? "Something else" : "Answer" },
      },
      ...(!chosen && { required: ["answer"] }),
    },
  };
  const { action, content } = await elicit(form, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw noAnswer(`the host could not ask the person: ${messageOf(error)}`);
  });
  const said = [content?.["other"], content?.["answer"]].find(
    (one) => typeof one === "string" && one.trim() !== "",
  );
  if (action === "accept" && typeof said === "string") return said;
  throw noAnswer("the person did not answer");
}

const noAnswer = (message: string): ToolError =>
  new ToolError("no_answer", message, {
    hint: "decide by yourself and say what you assumed, or stop and report what is missing",
  });
