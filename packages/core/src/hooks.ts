import type { ToolResult } from "./message.ts";
import type { Tool } from "./tool.ts";

/** A call on its way through dispatch, its arguments validated. */
export interface HookCall {
  readonly tool: Tool;
  readonly callId: string;
  readonly sessionId: string;
  readonly input: unknown;
}

/** What a hook wants: nothing, a refusal, or other arguments (which are validated and authorized anew). */
export type BeforeToolCall =
  | undefined
  | void
  | { deny: string }
  | { arguments: Readonly<Record<string, unknown>> };

/** Hooks can only tighten: no hook turns a denial into a permission. */
export interface Hooks {
  beforeToolCall?: (call: HookCall) => BeforeToolCall | Promise<BeforeToolCall>;
  /** Sees the result and may replace it. */
  afterToolCall?: (call: HookCall, result: ToolResult) => ToolResult | void | Promise<ToolResult | void>;
}
