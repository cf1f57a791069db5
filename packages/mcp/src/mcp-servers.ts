import { SetupError, type ToolRegistry } from "@toycoder/core";
import type { McpHost } from "./connection.ts";
import { McpServer } from "./mcp-server.ts";
import { RegisteredTools } from "./registered-tools.ts";
import type { McpServerConfig } from "./server-config.ts";
import { type McpServerLine, ServerLines } from "./server-lines.ts";
import { blankReport, type McpServerReport, reportOf } from "./server-report.ts";
import { serverPrefixes } from "./tool-names.ts";

/** The MCP servers of a config. Their tools are in a registry as long as the servers list them. */
export class McpServers {
  readonly #configs: Readonly<Record<string, McpServerConfig>>;
  readonly #servers: readonly McpServer[];
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #lines = new ServerLines();
  #registered: RegisteredTools | undefined;

  constructor(configs: Readonly<Record<string, McpServerConfig>>, host: McpHost) {
    this.#configs = configs;
    this.#prefixes = serverPrefixes(Object.keys(configs));
    this.#servers = Object.entries(configs).flatMap(([name, config]) => {
      if (config.disabled === true) return [];
      const server: McpServer = new McpServer(name, config, host, {
        text: (stream, text) => this.#lines.say({ server: name, stream, text }),
        changed: () => this.#registered?.update(server),
      });
      return [server];
    });
  }

  /**
   * Starts them side by side, or `only` those named. Resolves when each is up or has failed, each within its own
   * limit. Throws a SetupError `mcp_required` as soon as a required one has failed, unless `tolerant`; what has
   * started is then to be closed.
   */
  async start({
    only,
    tolerant = false,
  }: { only?: readonly string[]; tolerant?: boolean } = {}): Promise<void> {
    await Promise.all(
      this.#servers.map(async (server) => {
        if (only?.includes(server.name) === false) return;
        await server.start();
        const { failure, config, name } = server;
        if (failure === undefined || config.required !== true || tolerant) return;
        throw new SetupError(
          "mcp_required",
          `the required MCP server ${name} did not come up: ${failure.message}`,
          { hint: failure.hint ?? `look at it with toycoder mcp test ${name}` },
        );
      }),
    );
  }

  /** Brings the servers' tools into a registry, and keeps them there as the servers list them. */
  register(registry: ToolRegistry): void {
    this.#registered = new RegisteredTools(registry, this.#servers, this.#prefixes);
  }

  /** Whether a tool's name is one of a server that is not up: then nobody can say whether there is such a tool. */
  mayBring(name: string): boolean {
    return [...this.#prefixes].some(
      ([server, prefix]) =>
        name.startsWith(`${prefix}__`) &&
        this.#servers.find((one) => one.name === server)?.facts === undefined,
    );
  }

  /** In the order of the config. */
  reports(): McpServerReport[] {
    return Object.entries(this.#configs).map(([name, config]) => {
      const server = this.#servers.find((one) => one.name === name);
      if (server === undefined) return blankReport(name, config, "disabled");
      return reportOf(server, (tool) => this.#registered?.nameOf(server, tool));
    });
  }

  /** Hears what the servers say besides messages, from the beginning on. */
  observe(listener: (line: McpServerLine) => void): void {
    this.#lines.observe(listener);
  }

  /** Ends them all, and their processes. Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#servers.map((server) => server.close()));
  }
}
