import { PERMISSION_LEVELS } from "@toycoder/core";
import type { Shape } from "./shape.ts";
import { about, filled, TEXT } from "./text-shape.ts";

const TEXTS: Shape = { kind: "list", of: TEXT };
const NAMED_TEXTS: Shape = { kind: "map", of: TEXT };
const LEVEL: Shape = { kind: "choice", of: PERMISSION_LEVELS };
const SECONDS: Shape = { kind: "number", min: 0.001 };

export const MCP_SERVER_KEYS: Readonly<Record<string, Shape>> = {
  type: about("How it is reached. Default: stdio with a command, http with a url.", {
    kind: "choice",
    of: ["stdio", "http", "streamable-http", "sse"],
  }),
  command: about("The program that is the server.", filled("a command")),
  args: about("Its arguments. ${VAR} is put in.", TEXTS),
  env: about(
    "Its environment, beside PATH, HOME and the like. ${VAR} is put in, and counts as secret.",
    NAMED_TEXTS,
  ),
  cwd: about("The folder that it runs in, relative to the workspace.", filled("a folder")),
  url: about("The server's address. ${VAR} is put in.", filled("an address")),
  headers: about("HTTP headers of each request. ${VAR} is put in, and counts as secret.", NAMED_TEXTS),
  bearerToken: about("Sent as Authorization: Bearer …; write it as ${VAR}.", filled("a token")),
  disabled: about("Whether it is left out. Default: false.", { kind: "flag" }),
  required: about("Whether nothing is begun without it: exit code 8. Default: false.", { kind: "flag" }),
  permission: about("The level of its tools. Default: sensitive.", LEVEL),
  tools: about("Glob of its tools → their level; the last one that fits counts.", { kind: "map", of: LEVEL }),
  include: about("Globs of the tools to take. Default: all.", TEXTS),
  exclude: about("Globs of tools to leave out.", TEXTS),
  trustAnnotations: about("Whether the server's own word decides the level of its tools. Default: false.", {
    kind: "flag",
  }),
  startSeconds: about("How long it may take to start. Default: 30.", SECONDS),
  callSeconds: about("How long a call may go without an answer or progress. Default: 60.", SECONDS),
  maxCallSeconds: about("How long a call may take with progress. Default: 1800.", SECONDS),
};

/** `mcpServers` of a config: as other hosts write it, and ToyCoder's own keys beside. */
export const MCP_SERVERS: Shape = about(
  "Name → an MCP server, whose tools join the others; see docs/mcp.md.",
  {
    kind: "map",
    of: { kind: "object", keys: MCP_SERVER_KEYS },
  },
);
