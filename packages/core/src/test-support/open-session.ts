import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { ToolResult } from "../message.ts";
import { createPolicy, type PolicyOptions } from "../permission/policy.ts";
import { createWorkspace } from "../permission/workspace.ts";
import { ToolRegistry } from "../registry.ts";
import { createSession, type Session, type SessionOptions } from "../session.ts";
import { defineTool, type Tool, type ToolContext } from "../tool.ts";
import { dispatch, type DispatchOptions } from "../dispatch/dispatch.ts";

const nothing = z.object({});
export type Execute = (input: Record<string, never>, ctx: ToolContext) => unknown;
export const tool = (name: string, execute: Execute, more: object = {}): Tool =>
  defineTool({ name, description: "A tool of a test.", input: nothing, execute, ...more });

/** A session in a new folder, which goes when the test ends. */
export function open(
  tools: readonly Tool[],
  policy: Omit<PolicyOptions, "root"> = {},
  more: Partial<SessionOptions> = {},
): Session {
  const registry = new ToolRegistry();
  registry.registerMany(tools);
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "toycoder-dispatch-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = createWorkspace({ root });
  return createSession({ registry, workspace, policy: createPolicy({ root, ...policy }), ...more });
}

export const call = (
  session: Session,
  name: string,
  args: string | Record<string, unknown> = {},
  options: DispatchOptions = {},
): Promise<ToolResult> => dispatch({ id: "c1", name, arguments: args }, session, options);

export const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.error.code);
