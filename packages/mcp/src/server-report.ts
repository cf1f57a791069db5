import type { PermissionLevel } from "@toycoder/core";
import { isLocal } from "./connect.ts";
import type { TransportKind } from "./connection.ts";
import type { FailureWords } from "./failure-words.ts";
import type { McpServer } from "./mcp-server.ts";
import type { McpServerConfig } from "./server-config.ts";
import { toolLevel } from "./tool-level.ts";

/** What is known of a server, for people. */
export interface McpServerReport {
  server: string;
  state: "ready" | "failed" | "disabled" | "not_started";
  required: boolean;
  transport: TransportKind;
  /** What the server calls itself; null where it has not said. */
  name: string | null;
  version: string | null;
  startMs: number | null;
  /** `name` is the registry's, `tool` the server's own. */
  tools: readonly { name: string; tool: string; level: PermissionLevel; notes: readonly string[] }[];
  leftOut: readonly { tool: string; reason: string }[];
  notes: readonly string[];
  resources: boolean;
  error: FailureWords | null;
}

/** Of a server that is not started. */
export const blankReport = (
  server: string,
  config: McpServerConfig,
  state: McpServerReport["state"],
): McpServerReport => ({
  server,
  state,
  required: config.required === true,
  transport: isLocal(config) ? "stdio" : config.type === "sse" ? "sse" : "http",
  name: null,
  version: null,
  startMs: null,
  tools: [],
  leftOut: [],
  notes: [],
  resources: false,
  error: null,
});

/** `nameOf` gives a tool's name in the registry, by the server's own. */
export function reportOf(
  { name, config, facts, failure, startMs }: McpServer,
  nameOf: (tool: string) => string | undefined,
): McpServerReport {
  const state = failure !== undefined ? "failed" : facts === undefined ? "not_started" : "ready";
  return {
    ...blankReport(name, config, state),
    ...(facts !== undefined && {
      transport: facts.kind,
      name: facts.name,
      version: facts.version,
      startMs,
      tools: facts.tools.map((tool) => ({
        name: nameOf(tool.name) ?? tool.name,
        tool: tool.name,
        level: toolLevel(tool, config),
        notes: tool.notes,
      })),
      leftOut: facts.leftOut,
      notes: facts.notes,
      resources: facts.hasResources,
    }),
    error: failure ?? null,
  };
}
