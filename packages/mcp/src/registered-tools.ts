import type { Tool, ToolRegistry } from "@toycoder/core";
import type { McpServer } from "./mcp-server.ts";
import { RESOURCE_TOOLS, resourceTools } from "./resource-tools.ts";
import { serverTool } from "./server-tool.ts";
import { toolLevel } from "./tool-level.ts";
import { foldName, toolNames } from "./tool-names.ts";

interface Registered {
  tool: Tool;
  /** What it was made of. */
  source: string;
}

/** The tools of servers in a registry: as the servers list them now. */
export class RegisteredTools {
  readonly #registry: ToolRegistry;
  readonly #servers: readonly McpServer[];
  readonly #prefixes: ReadonlyMap<string, string>;
  readonly #tools = new Map<McpServer, ReadonlyMap<string, Registered>>();
  #resourceTools: readonly Tool[] = [];

  constructor(registry: ToolRegistry, servers: readonly McpServer[], prefixes: ReadonlyMap<string, string>) {
    this.#registry = registry;
    this.#servers = servers;
    this.#prefixes = prefixes;
    for (const server of servers) this.update(server);
  }

  /** The registry's name of a server's tool. */
  nameOf(server: McpServer, tool: string): string | undefined {
    return this.#tools.get(server)?.get(tool)?.tool.name;
  }

  /** Takes out what the server lists no more, and brings in what is new. What is unchanged stays as it is. */
  update(server: McpServer): void {
    const { facts, config, name: origin } = server;
    if (facts === undefined) return;
    const after = new Map<string, Registered>();
    const listed = new Map(facts.tools.map((tool) => [tool.name, tool]));
    for (const [raw, registered] of this.#tools.get(server) ?? []) {
      if (listed.get(raw)?.source === registered.source) after.set(raw, registered);
      else this.#registry.unregister(registered.tool.name);
    }
    const there = this.#registry.list({ includeDeprecated: true }).map((tool) => tool.name);
    const taken = new Set([...there, ...RESOURCE_TOOLS].map(foldName));
    const fresh = facts.tools.filter((tool) => !after.has(tool.name));
    const names = toolNames(
      this.#prefixes.get(origin) ?? origin,
      fresh.map((tool) => tool.name),
      (folded) => taken.has(folded),
    );
    for (const judged of fresh) {
      const name = names.get(judged.name);
      if (name === undefined) continue;
      const tool = serverTool(server, judged, name, toolLevel(judged, config));
      this.#registry.register(tool, { mcp: `${origin}/${judged.name}` });
      after.set(judged.name, { tool, source: judged.source });
    }
    this.#tools.set(server, after);
    this.#updateResources();
  }

  #updateResources(): void {
    const offering = (): McpServer[] => this.#servers.filter(({ facts }) => facts?.hasResources === true);
    if (offering().length === 0) {
      for (const { name } of this.#resourceTools) this.#registry.unregister(name);
      this.#resourceTools = [];
    } else if (this.#resourceTools.length === 0) {
      this.#resourceTools = resourceTools(offering).filter(({ name }) => !this.#registry.has(name));
      this.#registry.registerMany(this.#resourceTools, { plugin: "mcp" });
    }
  }
}
