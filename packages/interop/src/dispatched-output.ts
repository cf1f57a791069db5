import {
  type ContentPart,
  dispatch,
  type ErrorInfo,
  type Mask,
  type Session,
  type ToolCall,
  ToolError,
} from "@toycoder/core";
import { joinTexts } from "./join-texts.ts";
import type { OfferOptions } from "./offered-tools.ts";

/** What a call came to, in JSON: a program may take `output`, a model gets `content`. */
export interface DispatchedOutput {
  /** What the tool returned, without credentials; null where JSON cannot hold it. */
  output: unknown;
  /** Its texts and images, as the session's own model would see them. */
  content: ContentPart[];
}

/**
 * One call through the session: its checks, permissions, hooks and limits. Rejects with a ToolError where the call
 * may not run or fails; as a text it is what the session's own model would see, its `cause` is the error alone.
 */
export async function dispatchedOutput(
  call: ToolCall,
  session: Session,
  { observe }: OfferOptions,
  signal: AbortSignal | undefined,
): Promise<DispatchedOutput> {
  const result = await dispatch(call, session, { ...(observe && { observe }), ...(signal && { signal }) });
  if (result.ok) return { output: plainOutput(result.output, session.mask), content: result.content };
  throw toldError(result.error, joinTexts(result.content));
}

/** The error's name and message together are `told`. */
function toldError(info: ErrorInfo, told: string): ToolError {
  const { code, hint } = info;
  const name = `Error (${code})`;
  const message = told.startsWith(`${name}: `) ? told.slice(name.length + 2) : told;
  const error = new ToolError(code, message, { cause: info, ...(hint !== undefined && { hint }) });
  error.name = name;
  return error;
}

function plainOutput(output: unknown, mask: Mask): unknown {
  try {
    const json = JSON.stringify(output) ?? "null";
    return JSON.parse(json, (_, value: unknown) =>
      typeof value === "string" ? mask(value) : value,
    ) as unknown;
  } catch {
    return null;
  }
}
