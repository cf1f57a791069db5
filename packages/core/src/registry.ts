import { SetupError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import type { PermissionLevel } from "./permission/level.ts";
import { type Category, isTool, type Tool } from "./tool.ts";

/** Where a tool came from, for rules of the forms `plugin:NAME` and `mcp:SERVER/TOOL`. */
export interface ToolOrigin {
  plugin?: string;
  mcp?: string;
}

export interface ListFilter {
  category?: Category;
  tag?: string;
  level?: PermissionLevel;
}

interface Entry {
  tool: Tool;
  origin: ToolOrigin;
}

/** The tools that exist. Holds no session's state: enabling and approvals belong to the session. */
export class ToolRegistry {
  // A Map: a name like "constructor" is an ordinary name.
  readonly #entries = new Map<string, Entry>();
  /** Folded name → registered name, to refuse names that differ in style alone. */
  readonly #folded = new Map<string, string>();

  /**
   * Adds a tool. Throws a SetupError `duplicate_tool` where the name is taken, `similar_tool` where a registered
   * name differs only in case or separators, `invalid_tool` where `tool` was not made by `defineTool`.
   */
  register(tool: Tool, origin: ToolOrigin = {}): void {
    this.#check(tool);
    this.#add(tool, origin);
  }

  /** Adds all of them or none. */
  registerMany(tools: readonly Tool[], origin: ToolOrigin = {}): void {
    const added: string[] = [];
    try {
      for (const tool of tools) {
        this.register(tool, origin);
        added.push(tool.name);
      }
    } catch (error) {
      for (const name of added) this.unregister(name);
      throw error;
    }
  }

  unregister(name: string): boolean {
    this.#folded.delete(fold(name));
    return this.#entries.delete(name);
  }

  get(name: string): Tool | undefined {
    return this.#entries.get(name)?.tool;
  }

  /** Like `get`, but throws a SetupError `unknown_tool` that names the nearest tool. */
  require(name: string): Tool {
    const tool = this.get(name);
    if (tool !== undefined) return tool;
    const [near] = nearest(name, this.#entries.keys(), 1);
    throw new SetupError("unknown_tool", `there is no tool ${name}`, {
      hint:
        near === undefined ? `tools are ${[...this.#entries.keys()].join(", ")}` : `did you mean ${near}?`,
    });
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  origin(name: string): ToolOrigin {
    return this.#entries.get(name)?.origin ?? {};
  }

  /** The tools that pass the filter, sorted by name. */
  list(filter: ListFilter = {}): Tool[] {
    return this.snapshot().filter(
      (tool) =>
        (filter.category === undefined || tool.category === filter.category) &&
        (filter.level === undefined || tool.permission === filter.level) &&
        (filter.tag === undefined || tool.tags.includes(filter.tag)),
    );
  }

  /** An immutable list, sorted by name: a stable order keeps a provider's prompt cache. */
  snapshot(options: { names?: Iterable<string> } = {}): readonly Tool[] {
    const names = options.names === undefined ? undefined : new Set(options.names);
    const tools = [...this.#entries.values()].map((entry) => entry.tool);
    const chosen = names === undefined ? tools : tools.filter((tool) => names.has(tool.name));
    return Object.freeze(chosen.sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  #check(tool: Tool): void {
    if (!isTool(tool)) throw new SetupError("invalid_tool", "not a tool; make one with defineTool");
    if (this.#entries.has(tool.name)) {
      const { plugin } = this.origin(tool.name);
      const by = plugin === undefined ? "" : ` (by the plugin ${plugin})`;
      throw new SetupError("duplicate_tool", `the tool ${tool.name} is registered already${by}`);
    }
    const similar = this.#folded.get(fold(tool.name));
    if (similar !== undefined) {
      throw new SetupError("similar_tool", `the tool ${tool.name} differs from ${similar} only in its style`);
    }
  }

  #add(tool: Tool, origin: ToolOrigin): void {
    this.#entries.set(tool.name, { tool, origin });
    this.#folded.set(fold(tool.name), tool.name);
  }
}

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
