import { type ErrorInfo, errorInfo, isToolError, ToolError } from "@toycoder/core";
import { isRecord } from "@toycoder/core/wire";

/** The error of a session's tool, where `value` says one as such a tool's result does in another framework. */
export function errorInfoOf(value: unknown): ErrorInfo | undefined {
  if (!isRecord(value) || value instanceof Error) return undefined;
  const { code, message, hint } = value;
  if (typeof code !== "string" || typeof message !== "string") return undefined;
  return errorInfo(code, message, typeof hint === "string" ? hint : undefined);
}

/**
 * What a session's tool failed with, where the error went through another framework: without the words that were
 * put around it for that framework's model. Anything else comes back as it is.
 */
export function originalError(thrown: unknown): unknown {
  const info = isToolError(thrown) ? errorInfoOf(thrown.cause) : undefined;
  if (info === undefined) return thrown;
  const { code, message, hint } = info;
  return new ToolError(code, message, hint === undefined ? {} : { hint });
}
