import type { StandardSchemaV1 } from "@standard-schema/spec";
import { errorInfo, type ErrorInfo, isFailure, isToolError, messageOf, ToolError } from "../errors.ts";
import { type ContentPart, text, type ToolResult } from "../message.ts";
import { issueSteps } from "../schema/issue-steps.ts";
import { describeProblems } from "../schema/validate.ts";
import type { Session } from "../session.ts";
import type { Tool } from "../tool.ts";
import { showValue } from "./show-value.ts";

/** The result of a call that could not or may not run, or failed. */
export function failure(error: ErrorInfo, notes: string[] = []): ToolResult {
  const hint = error.hint === undefined ? "" : `\nHint: ${error.hint}`;
  return { ok: false, error, content: [text(`Error (${error.code}): ${error.message}${hint}`)], notes };
}

/** The failure for whatever a tool threw: its own code for a ToolError, else `execution_failed`. No stack. */
export function failureOf(thrown: unknown): ToolResult {
  if (isToolError(thrown)) return failure(errorInfo(thrown.code, thrown.message, thrown.hint));
  return failure(errorInfo("execution_failed", messageOf(thrown)));
}

/**
 * Turns what `execute` returned into a result: held against the tool's output schema, without credentials, cut to
 * what a model may get to see.
 */
export async function finish(
  session: Session,
  tool: Tool,
  callId: string,
  returned: unknown,
): Promise<ToolResult> {
  if (isFailure(returned)) return await capped(session, callId, failure(returned.error));
  const output = tool.output === undefined ? returned : await checkedOutput(tool.output, returned);
  const shown = tool.toModel === undefined ? showValue(output) : tool.toModel(output);
  const content = typeof shown === "string" ? [text(shown)] : [...shown];
  return await capped(session, callId, { ok: true, content, output, notes: [] });
}

async function checkedOutput(schema: StandardSchemaV1, returned: unknown): Promise<unknown> {
  const result = await schema["~standard"].validate(returned);
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map((issue) => ({ path: issueSteps(issue), message: issue.message }));
  throw new ToolError(
    "execution_failed",
    `the tool returned something else than it says: ${describeProblems(problems)}`,
  );
}

/** The result with its notes shown to the model, and an error's texts without credentials. */
export function seal(session: Session, result: ToolResult, notes: readonly string[]): ToolResult {
  const all = [...result.notes, ...notes];
  const shown = all.map((note) => text(`[note: ${note}]`));
  if (result.ok)
    return shown.length === 0 ? result : { ...result, content: [...result.content, ...shown], notes: all };
  const { code, message, hint } = result.error;
  const error = errorInfo(code, session.mask(message), hint === undefined ? undefined : session.mask(hint));
  return { ok: false, error, content: [...masked(session, result.content), ...shown], notes: all };
}

const masked = (session: Session, content: readonly ContentPart[]): ContentPart[] =>
  content.map((part) => (part.type === "text" ? text(session.mask(part.text)) : part));

/** Cuts texts that go over the session's limit; the whole stays readable as `session:NAME`. */
async function capped(session: Session, callId: string, result: ToolResult): Promise<ToolResult> {
  let left = session.maxResultChars;
  const content: ContentPart[] = [];
  for (const part of masked(session, result.content)) {
    if (part.type !== "text" || part.text.length <= left) {
      content.push(part);
      if (part.type === "text") left -= part.text.length;
      continue;
    }
    const name = await session.spills.write(`${callId}.txt`, part.text);
    const kept = part.text.slice(0, wholeCharacters(part.text, left));
    const lines = kept.split("\n").length;
    const mark = `[cut after ${kept.length} of ${part.text.length} characters; the whole is ${name}: read it with read_file, path "${name}", offset ${lines}]`;
    content.push(text(`${kept}\n${mark}`));
    left = 0;
  }
  return { ...result, content };
}

/** The largest length ≤ `limit` that does not split a surrogate pair. */
export function wholeCharacters(value: string, limit: number): number {
  if (limit <= 0 || limit >= value.length) return Math.max(0, Math.min(limit, value.length));
  const code = value.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
