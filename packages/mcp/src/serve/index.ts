export { type HostStreams, HostTransport } from "./host-transport.ts";
export { ToolServer, type ToolServerOptions } from "./tool-server.ts";
