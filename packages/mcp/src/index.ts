export type { McpHost, TransportKind } from "./connection.ts";
export type { FailureWords } from "./failure-words.ts";
export { McpServers } from "./mcp-servers.ts";
export type { McpServerConfig } from "./server-config.ts";
export type { McpServerLine } from "./server-lines.ts";
export type { McpServerReport } from "./server-report.ts";
