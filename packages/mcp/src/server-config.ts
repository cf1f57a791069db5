import type { PermissionLevel } from "@toycoder/core";

/** One entry of `mcpServers`: what other MCP hosts write, and beside it what ToyCoder adds. */
export interface McpServerConfig {
  /** Default: `stdio` with a `command`, `http` with a `url`. `sse` is the older transport alone. */
  type?: "stdio" | "http" | "streamable-http" | "sse";
  command?: string;
  args?: readonly string[];
  /** All that the server's process gets to see, beside HOME, LOGNAME, PATH, SHELL, TERM and USER. */
  env?: Readonly<Record<string, string>>;
  /** Relative to the workspace. Default: the workspace. */
  cwd?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`. */
  bearerToken?: string;
  /** Neither started nor offered. */
  disabled?: boolean;
  /** The level of its tools. Default: sensitive. */
  permission?: PermissionLevel;
  /** Glob of tool names, as the server has them → level. The last one that fits counts. */
  tools?: Readonly<Record<string, PermissionLevel>>;
  /** Globs of the tools to take. Default: all. */
  include?: readonly string[];
  /** Globs of tools to leave out. */
  exclude?: readonly string[];
  /** Whether the server's own word on what its tools do decides their level, where `tools` does not. */
  trustAnnotations?: boolean;
  /** Without this server nothing is begun. */
  required?: boolean;
  /** How long it may take to start. Default: 30. */
  startSeconds?: number;
  /** How long a call may go without an answer or a sign of progress. Default: 60. */
  callSeconds?: number;
  /** How long a call may take with progress. Default: 1800. */
  maxCallSeconds?: number;
}
