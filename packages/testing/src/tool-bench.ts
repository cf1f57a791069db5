import {
  type Ask,
  createPolicy,
  createSession,
  createWorkspace,
  dispatch,
  type DispatchEvent,
  type FileChange,
  type PolicyOptions,
  type Session,
  type Tool,
  ToolRegistry,
  type ToolResult,
} from "@toycoder/core";

/** What a bench for tools stands on. */
export interface ToolBenchOptions {
  /** The workspace's folder. */
  root: string;
  /** Rules and levels; without any, every level is allowed and the workspace's bounds hold. */
  policy?: Omit<PolicyOptions, "root">;
  ask?: Ask;
  credentials?: Readonly<Record<string, string>>;
  maxResultChars?: number;
}

/** Tools in a session of their own, called through the real dispatch. */
export interface ToolBench {
  readonly session: Session;
  readonly changes: readonly FileChange[];
  readonly events: readonly DispatchEvent[];
  call(name: string, args: Record<string, unknown> | string, signal?: AbortSignal): Promise<ToolResult>;
}

/** Puts tools into a session, all of them enabled. */
export function toolBench(tools: readonly Tool[], options: ToolBenchOptions): ToolBench {
  const registry = new ToolRegistry();
  registry.registerMany(tools);
  const workspace = createWorkspace({ root: options.root });
  const levels = { safe: "allow", sensitive: "allow", dangerous: "allow" } as const;
  const policy = createPolicy({ root: workspace.root, ...(options.policy ?? { levels }) });
  const changes: FileChange[] = [];
  const events: DispatchEvent[] = [];
  const session = createSession({
    registry,
    policy,
    workspace,
    enable: tools.map((tool) => tool.name),
    onChange: (change) => void changes.push(change),
    ...(options.ask && { ask: options.ask }),
    ...(options.credentials && { credentials: options.credentials }),
    ...(options.maxResultChars !== undefined && { maxResultChars: options.maxResultChars }),
  });
  let calls = 0;
  return {
    session,
    changes,
    events,
    call: (name, args, signal) =>
      dispatch({ id: `call_${++calls}`, name, arguments: args }, session, {
        observe: (event) => void events.push(event),
        ...(signal && { signal }),
      }),
  };
}

/** One call of one tool through dispatch, in a session of its own. */
export function runTool(
  tool: Tool,
  args: Record<string, unknown> | string,
  options: ToolBenchOptions,
): Promise<ToolResult> {
  return toolBench([tool], options).call(tool.name, args);
}
