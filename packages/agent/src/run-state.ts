import type { Failure } from "@toycoder/core";

/** What a model says to start a subagent. */
export interface SubagentTask {
  description: string;
  prompt: string;
  tools?: readonly string[];
}

/** What a run does for the agent's own tools, which know the session alone. */
export interface RunParts {
  tools: { find(query: string, limit: number): string };
  subagents: { run(task: SubagentTask, callId: string, signal: AbortSignal): Promise<string | Failure> };
}

interface Stateful {
  state(key: string): Map<string, unknown>;
}

const KEY = "agent:run";

/** Makes a run known to the tools of its session; a later run takes its place. */
export function openRun(session: Stateful, parts: RunParts): void {
  session.state(KEY).set("parts", parts);
}

/** The run that a call belongs to; undefined where there is none, as for a tool that is called by hand. */
export const runOf = (ctx: Stateful): RunParts | undefined =>
  ctx.state(KEY).get("parts") as RunParts | undefined;
