import {
  createPolicy,
  createSession,
  createWorkspace,
  defineTool,
  type Model,
  type ModelRequest,
  type PolicyOptions,
  type RegisterOptions,
  type Session,
  type SessionOptions,
  type Tool,
  ToolRegistry,
} from "@toycoder/core";
import { z } from "zod";
import { registerAgentTools } from "../agent-tools.ts";
import type { AgentEvent } from "../event.ts";
import type { RunResult } from "../result.ts";
import { runAgent } from "../run-agent.ts";
import type { RunOptions } from "../run-options.ts";

/** Gives back a text of as many characters. */
export const fill = defineTool({
  name: "fill",
  description: "Gives back many characters.",
  input: z.object({ characters: z.number() }),
  execute: ({ characters }) => "x".repeat(characters),
}) as Tool;

export const say = (name: string): Tool =>
  defineTool({
    name,
    description: `Says ${name}.`,
    input: z.object({}),
    execute: () => `said ${name}`,
  }) as Tool;

export interface Setting extends Partial<Omit<RunOptions, "model" | "session">> {
  policy?: Omit<PolicyOptions, "root">;
  tools?: readonly (Tool | [Tool, RegisterOptions])[];
  session?: Partial<SessionOptions>;
}

export function openSession(root: string, { policy, tools = [fill], session }: Setting = {}): Session {
  const registry = new ToolRegistry();
  for (const entry of tools) {
    if (Array.isArray(entry)) registry.register(...entry);
    else registry.register(entry);
  }
  registerAgentTools(registry);
  const workspace = createWorkspace({ root });
  return createSession({ registry, workspace, policy: createPolicy({ root, ...policy }), ...session });
}

export interface Work {
  result: RunResult;
  events: AgentEvent[];
  session: Session;
}

/** Runs a model to the end of its run, in a session with `fill` and the agent's own tools. */
export async function work(
  root: string,
  model: Model,
  setting: Setting = {},
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<Work> {
  const { policy: _, tools: __, session: ___, ...options } = setting;
  const session = openSession(root, setting);
  const events: AgentEvent[] = [];
  for await (const event of runAgent({
    task: "Do it.",
    instructions: "Be brief.",
    ...options,
    model,
    session,
  })) {
    events.push(event);
    onEvent(event);
  }
  const last = events.at(-1);
  if (last?.type !== "result") throw new Error("the last event is no result");
  return { result: last.result, events, session };
}

export const eventsOf = <T extends AgentEvent["type"]>(
  events: readonly AgentEvent[],
  type: T,
): Extract<AgentEvent, { type: T }>[] =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

/** All text of a request's messages. */
export const bodyOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);
