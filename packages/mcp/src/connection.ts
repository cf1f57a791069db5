import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Workspace } from "@toycoder/core";
import type { elicit } from "./elicit.ts";

/** Whose servers they are: what every connection is made with. */
export interface McpHost {
  workspace: Workspace;
  env: NodeJS.ProcessEnv;
  client: { name: string; version: string };
}

/** What a connection tells its server's keeper. */
export interface ConnectionEvents {
  text: (stream: "stderr" | "stdout" | "log", text: string) => void;
  listChanged: (what: "tools" | "resources") => void;
  elicit: (params: unknown) => ReturnType<typeof elicit>;
  closed: () => void;
  mayRepeat: (message: unknown) => boolean;
}

/** How a server is spoken to. */
export type TransportKind = "stdio" | "http" | "sse";

/** A server that has answered `initialize`. */
export interface Connection {
  client: Client;
  kind: TransportKind;
  /** How it ended, in words; undefined while it lives. */
  ending(): string | undefined;
  close(): Promise<void>;
}

/** What a call fails with whose answer stops coming. */
export const BROKEN_OFF = "the connection broke before the answer was there";
