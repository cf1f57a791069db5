import type { McpServerEntry } from "./define-config.ts";
import { type ConfigProblem, placeOf } from "./shape.ts";

/** Puts variables into a text at a place; `secret` keeps their values out of logs. */
type Put = (value: string, place: string, secret: boolean) => string;
type Servers = Readonly<Record<string, McpServerEntry>>;

/** Puts `${VAR}` into the MCP servers that are not disabled, and says which are no servers. */
export function fillServers(given: Servers, env: NodeJS.ProcessEnv, put: Put): [Servers, ConfigProblem[]] {
  const problems: ConfigProblem[] = [];
  const servers = Object.entries(given).map(([name, server]) => {
    const place = placeOf("mcpServers", name);
    const problem = server.disabled === true ? undefined : problemOf(name, server);
    if (problem !== undefined) problems.push({ place, message: problem });
    return [name, server.disabled === true || problem !== undefined ? server : fill(server, place, env, put)];
  });
  return [Object.fromEntries(servers) as Servers, problems];
}

function problemOf(name: string, { type, command, url }: McpServerEntry): string | undefined {
  if (name.trim() === "" || name.includes("/")) return "a server's name is not empty and has no /";
  if (type === "stdio" && command === undefined) return "a server of the type stdio needs a command";
  if (type !== undefined && type !== "stdio" && url === undefined)
    return `a server of the type ${type} needs a url`;
  if (command === undefined && url === undefined) return "needs a command or a url";
  if (type === undefined && command !== undefined && url !== undefined)
    return "has a command and a url; say by type which of them counts";
  return undefined;
}

function fill(server: McpServerEntry, place: string, env: NodeJS.ProcessEnv, put: Put): McpServerEntry {
  const text = (value: string, key: string | number, secret: boolean, of = place): string =>
    put(common(value, env), placeOf(of, key), secret);
  const map = (values: Readonly<Record<string, string>>, key: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, text(value, name, true, placeOf(place, key))]),
    );
  const { command, args, env: own, cwd, url, headers, bearerToken } = server;
  return {
    ...server,
    ...(command !== undefined && { command: text(command, "command", false) }),
    ...(args !== undefined && {
      args: args.map((arg, index) => text(arg, index, false, placeOf(place, "args"))),
    }),
    ...(own !== undefined && { env: map(own, "env") }),
    ...(cwd !== undefined && { cwd: text(cwd, "cwd", false) }),
    ...(url !== undefined && { url: text(url, "url", false) }),
    ...(headers !== undefined && { headers: map(headers, "headers") }),
    ...(bearerToken !== undefined && { bearerToken: text(bearerToken, "bearerToken", true) }),
  };
}

/**
 * What other hosts write for the same: `${env:VAR}` of VS Code and Cursor, `${VAR:-default}` of Claude Code, and
 * `${workspaceFolder}`, which is left to whoever knows the workspace.
 */
const common = (value: string, env: NodeJS.ProcessEnv): string =>
  value
    .replaceAll("${workspaceFolder}", () => "$${workspaceFolder}")
    .replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, "${$1}")
    .replaceAll(/\$\{([A-Za-z_]\w*):-([^}]*)\}/g, (_, name: string, otherwise: string) =>
      env[name] ? `\${${name}}` : otherwise,
    );
