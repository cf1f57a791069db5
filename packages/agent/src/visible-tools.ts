import { errorInfo, type Message, type Session, text, type Tool, type ToolResult } from "@toycoder/core";
import { describeTool } from "./describe-tool.ts";
import { toolSearch } from "./tool-search-tool.ts";

/** The plugins whose tools are offered before all others: the built-in ones, and the agent's own. */
const PINNED: ReadonlySet<string> = new Set(["agent", "files", "search", "shell", "question"]);
const FOUND = "agent:found-tools";
const DEFAULT_MAX_VISIBLE = 20;

export interface VisibleToolsOptions {
  session: Session;
  /** With more enabled tools than that, the others have to be searched for. Default 20. */
  maxVisible?: number | undefined;
  /** Other names to offer tools under, by the tool's own name. */
  alias?: Readonly<Record<string, string>> | undefined;
  /** A subagent's tools, by the names they are offered under: no others are offered, or run. */
  only?: ReadonlySet<string> | undefined;
}

/**
 * What a model is offered of the session's enabled tools: all of them, or, where there are too many, a pinned core,
 * `tool_search` and what that found, in an order that stays, for the provider's prompt cache. It takes
 * {@link toolSearch} in the registry; without it everything is offered.
 */
export class VisibleTools {
  readonly #session: Session;
  readonly #maxVisible: number;
  readonly #alias: ReadonlyMap<string, string>;
  readonly #own: ReadonlyMap<string, string>;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #renamed = new Map<Tool, Tool>();

  constructor({ session, maxVisible = DEFAULT_MAX_VISIBLE, alias = {}, only }: VisibleToolsOptions) {
    this.#session = session;
    this.#maxVisible = maxVisible;
    this.#alias = new Map(Object.entries(alias));
    this.#own = new Map(Object.entries(alias).map(([name, other]) => [other, name]));
    this.#only = only;
  }

  /** The tools to offer now, under the names that the model is to use. */
  list(): readonly Tool[] {
    const offered = this.#offered().map((tool) => this.#rename(tool));
    const only = this.#only;
    return only === undefined ? offered : offered.filter(({ name }) => only.has(name));
  }

  /** A tool's own name, by the one it is offered under. */
  ownName(offered: string): string {
    return this.#own.get(offered) ?? offered;
  }

  /** Why a call may not even be tried; undefined where the session is to decide. */
  refusal(offered: string): ToolResult | undefined {
    const only = this.#only;
    if (only === undefined || only.has(offered)) return undefined;
    const message = `${JSON.stringify(offered.slice(0, 200))} is not among the tools of this subagent`;
    const hint = `its tools are ${[...only].join(", ")}`;
    const content = [text(`Error (unknown_tool): ${message}\nHint: ${hint}`)];
    return { ok: false, error: errorInfo("unknown_tool", message, hint), content, notes: [] };
  }

  /** Searches all tools and says in words what was found; from the next turn on that is offered. */
  find(query: string, limit: number): string {
    const visible = new Set(this.#offered());
    const hits = this.#session.search(query, { limit: limit + 1 }).filter(({ tool }) => tool !== toolSearch);
    const lines = hits.slice(0, limit).map(({ tool, enabled }) => {
      if (enabled) this.#found.set(tool.name, true);
      const state = visible.has(tool) ? "you have it" : "you have it from now on";
      return `${describeTool(this.#rename(tool))} [${enabled ? state : disabled(tool)}]`;
    });
    return lines.length === 0
      ? `No tool is found for ${JSON.stringify(query)}. Say it in other words, or do without.`
      : lines.join("\n");
  }

  /** Takes up a conversation: what it has called goes on to be offered. */
  resume(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.role !== "tool") continue;
      for (const { name, ok } of message.results) if (ok) this.#found.set(this.ownName(name), true);
    }
  }

  get #found(): Map<string, unknown> {
    return this.#session.state(FOUND);
  }

  #offered(): readonly Tool[] {
    const enabled = this.#session.tools();
    const others = enabled.filter((tool) => tool !== toolSearch);
    if (others.length <= this.#maxVisible) return others;
    if (others.length === enabled.length) return enabled;
    const byRank = Map.groupBy(others, (tool) => this.#rank(tool));
    const core = [...(byRank.get(0) ?? []), ...(byRank.get(1) ?? [])].slice(0, this.#maxVisible);
    const pinned = others.filter((tool) => core.includes(tool));
    const found = [...this.#found.keys()].flatMap((name) => others.find((tool) => tool.name === name) ?? []);
    return [...pinned, toolSearch, ...found.filter((tool) => !pinned.includes(tool))];
  }

  /** 0: pinned; 1: while there is room; 2: only when it is found. */
  #rank({ name }: Tool): number {
    const { plugin, mcp } = this.#session.registry.origin(name);
    if (mcp !== undefined) return 2;
    return plugin !== undefined && PINNED.has(plugin) ? 0 : 1;
  }

  #rename(tool: Tool): Tool {
    const alias = this.#alias.get(tool.name);
    if (alias === undefined) return tool;
    let renamed = this.#renamed.get(tool);
    if (renamed === undefined) {
      renamed = Object.create(tool, { name: { value: alias, enumerable: true } }) as Tool;
      this.#renamed.set(tool, renamed);
    }
    return renamed;
  }
}

const disabled = ({ name }: Tool): string =>
  `disabled: a person enables it by tools.enable in the config, --enable ${name}, or a rule with its name`;
